import { Switch as BaseSwitch } from '@base-ui/react/switch'
import { type ReactNode, useId } from 'react'

type SwitchProps = {
  label: string
  hint?: ReactNode
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** A labeled switch. */
export function Switch({ label, hint, checked, disabled = false, onChange }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-center justify-between gap-4">
      <div className="min-w-0">
        <label id={`${id}-label`} htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
      <SwitchControl
        id={id}
        labelledBy={`${id}-label`}
        describedBy={hint ? `${id}-hint` : undefined}
        checked={checked}
        disabled={disabled}
        onChange={onChange}
      />
    </div>
  )
}

type SwitchControlProps = Pick<SwitchProps, 'checked' | 'disabled' | 'onChange'> & {
  id?: string | undefined
  labelledBy: string
  describedBy?: string | undefined
}

/** The switch without a label. Its touch target is larger than its drawing. */
export function SwitchControl({ id, labelledBy, describedBy, checked, disabled = false, onChange }: SwitchControlProps) {
  return (
    <BaseSwitch.Root
      {...(id === undefined ? {} : { id })}
      nativeButton
      render={<button type="button" aria-labelledby={labelledBy} />}
      {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
      checked={checked}
      disabled={disabled}
      onCheckedChange={(next) => onChange(next)}
      className="group -mr-1 flex h-10 w-12 shrink-0 items-center justify-center rounded-control disabled:cursor-not-allowed disabled:opacity-60"
    >
      <span className="flex h-6 w-10 items-center rounded-full bg-line-control p-0.5 transition-colors duration-150 group-data-checked:bg-brand">
        <BaseSwitch.Thumb className="size-5 rounded-full bg-surface transition-[translate] duration-150 data-checked:translate-x-4" />
      </span>
    </BaseSwitch.Root>
  )
}
