import { Field as BaseField } from '@base-ui/react/field'
import type { ReactNode } from 'react'
import { Input, type InputProps } from './Input.tsx'

type FieldProps = InputProps & { label: string; hint?: ReactNode; error?: string | undefined }

/** A labelled input with its hint and, once there is one, what is wrong with it. */
export function Field({ label, hint, error, ...input }: FieldProps) {
  return (
    <BaseField.Root invalid={error !== undefined} className="flex flex-col gap-1.5">
      <BaseField.Label className="font-medium">{label}</BaseField.Label>
      <BaseField.Control render={<Input {...input} />} />
      {hint && <BaseField.Description className="text-sm text-muted">{hint}</BaseField.Description>}
      <BaseField.Error match={error !== undefined} className="text-sm text-critical">
        {error}
      </BaseField.Error>
    </BaseField.Root>
  )
}
