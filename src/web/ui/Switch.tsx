import { Switch as BaseSwitch } from '@base-ui/react/switch'
import { useId, type ReactNode } from 'react'

type SwitchProps = {
  label: string
  hint?: ReactNode
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** One thing that is on or off, and is so at once: nothing has to be saved. */
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
      {/* Larger than what is drawn, for fingers. */}
      <BaseSwitch.Root
        id={id}
        nativeButton
        render={<button type="button" aria-labelledby={`${id}-label`} />}
        {...(hint ? { 'aria-describedby': `${id}-hint` } : {})}
        checked={checked}
        disabled={disabled}
        onCheckedChange={(next) => onChange(next)}
        className="group -mr-1 flex h-10 w-12 shrink-0 items-center justify-center rounded-control disabled:cursor-not-allowed disabled:opacity-60"
      >
        <span className="flex h-6 w-10 items-center rounded-full bg-line-control p-0.5 transition-colors duration-150 group-data-checked:bg-brand">
          <BaseSwitch.Thumb className="size-5 rounded-full bg-surface transition-[translate] duration-150 data-checked:translate-x-4" />
        </span>
      </BaseSwitch.Root>
    </div>
  )
}
