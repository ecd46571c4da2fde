import { Field as BaseField } from '@base-ui/react/field'
import { Input, type InputProps } from './Input.tsx'

type NumberFieldProps = Omit<InputProps, 'type' | 'className'> & { label: string; unit?: string; error?: string | undefined }

/** A number with its unit behind it and, once there is one, what is wrong with it. */
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
