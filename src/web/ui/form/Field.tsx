import { Field as BaseField } from '@base-ui/react/field'
import type { ComponentProps, ReactNode } from 'react'
import { Input, type InputProps } from './Input.tsx'

type FieldProps = InputProps & { label: string; hint?: ReactNode; error?: string | undefined }

/** A labeled input with a hint and an error. */
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

type NumberFieldProps = Omit<InputProps, 'type' | 'className'> & { label: string; unit?: string; error?: string | undefined }

/** A number with its unit and an error. */
export function NumberField({ label, unit, error, ...input }: NumberFieldProps) {
  return (
    <BaseField.Root invalid={error !== undefined} className="flex flex-col gap-1.5">
      <BaseField.Label className="font-medium">{label}</BaseField.Label>
      <div className="flex items-center gap-2.5">
        <BaseField.Control render={<Input type="number" inputMode="numeric" step={1} className="max-w-28 tabular-nums" {...input} />} />
        {unit !== undefined && <BaseField.Description className="text-muted">{unit}</BaseField.Description>}
      </div>
      <BaseField.Error match={error !== undefined} className="text-sm text-critical">
        {error}
      </BaseField.Error>
    </BaseField.Root>
  )
}

type TextAreaFieldProps = Omit<ComponentProps<'textarea'>, 'className'> & { label: string; hint?: ReactNode; error?: string | undefined }

/** Multi-line text with the features of `Field`. 16 px on phones, or else iOS zooms in on it. */
export function TextAreaField({ label, hint, error, ...area }: TextAreaFieldProps) {
  return (
    <BaseField.Root invalid={error !== undefined} className="flex flex-col gap-1.5">
      <BaseField.Label className="font-medium">{label}</BaseField.Label>
      <BaseField.Control
        render={
          <textarea
            className="w-full min-w-0 rounded-control border border-line-control bg-surface px-3 py-2 text-[1rem] placeholder:text-muted disabled:opacity-60 aria-invalid:border-critical lg:text-base"
            {...area}
          />
        }
      />
      {hint && <BaseField.Description className="text-sm text-muted">{hint}</BaseField.Description>}
      <BaseField.Error match={error !== undefined} className="text-sm text-critical">
        {error}
      </BaseField.Error>
    </BaseField.Root>
  )
}
