import {
  type FieldError,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  get,
  type RegisterOptions,
  type UseFormReturn,
} from 'react-hook-form'

/** What connects an input to a form: its name and events, and what is wrong with its value. */
export const fieldOf = <Values extends FieldValues, Name extends FieldPath<Values>>(
  form: Pick<UseFormReturn<Values>, 'register' | 'formState'>,
  name: Name,
  options?: RegisterOptions<Values, Name>,
) => ({
  ...form.register(name, options),
  error: get<FieldErrors<Values>, FieldError | undefined>(form.formState.errors, name)?.message,
})
