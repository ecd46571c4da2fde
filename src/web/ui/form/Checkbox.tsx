import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'className' | 'ref'> & {
  label: string
  /** For screen readers only: its subject is next to it. */
  hideLabel?: boolean
  /** Some of what it represents is selected. */
  mixed?: boolean
}

export function Checkbox({ label, hideLabel = false, mixed = false, ...input }: CheckboxProps) {
  return (
    <label className={clsx('flex cursor-pointer items-center', hideLabel ? 'control-square justify-center' : 'min-h-10 gap-2.5')}>
      <input
        type="checkbox"
        ref={(element) => {
          if (element !== null) element.indeterminate = mixed
        }}
        className="size-4 shrink-0 accent-brand"
        {...input}
      />
      <span className={hideLabel ? 'sr-only' : undefined}>{label}</span>
    </label>
  )
}
