import type { ComponentProps } from 'react'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'className'> & { label: string }

export function Checkbox({ label, ...input }: CheckboxProps) {
  return (
    <label className="flex min-h-10 cursor-pointer items-center gap-2.5">
      <input type="checkbox" className="size-4 shrink-0 accent-brand" {...input} />
      {label}
    </label>
  )
}
