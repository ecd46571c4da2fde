import type { ComponentProps } from 'react'
import { passwordAdvice } from '../../core/accounts/password-advice.ts'
import { Field } from '../ui/form/Field.tsx'

type NewPasswordFieldProps = Omit<ComponentProps<typeof Field>, 'type' | 'autoComplete' | 'hint'> & {
  /** The current input. */
  typed: string
  /** The person's own names, which everybody would try first. */
  own?: readonly string[]
}

/** A field for choosing a password: points out weaknesses during typing. */
export function NewPasswordField({ typed, own, ...field }: NewPasswordFieldProps) {
  const hint = passwordAdvice(typed, own) ?? 'At least 6 characters; 10 or more is safer'
  return <Field type="password" autoComplete="new-password" hint={!field.error && hint} {...field} />
}
