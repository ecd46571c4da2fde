import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { ApiFailure } from './client.ts'

type Form<Values extends FieldValues> = Pick<UseFormReturn<Values>, 'getValues' | 'setError'>

/** Shows the server's refusal at its input, and focuses it. Returns false if it names no field of this form. */
export function showAtField<Values extends FieldValues>(form: Form<Values>, error: unknown): boolean {
  if (!(error instanceof ApiFailure) || error.problem?.field === undefined) return false
  const { field, message } = error.problem
  const name = Object.keys(form.getValues()).find((known): known is Path<Values> => known === field)
  if (name === undefined) return false
  form.setError(name, { message }, { shouldFocus: true })
  return true
}

/** The emailed link itself is invalid, so trying again wouldn't help. */
export const isRefusedLink = (error: unknown): boolean => error instanceof ApiFailure && error.problem?.field === 'token'
