import type { LucideIcon } from 'lucide-react'
import { useId } from 'react'

type SegmentsProps<Value extends string> = {
  /** What is being chosen, for screen readers. */
  label: string
  choices: readonly { value: Value; label: string; Icon?: LucideIcon }[]
  value: Value
  onChange: (value: Value) => void
}

/** A choice among a few visible options. */
export function Segments<Value extends string>({ label: legend, choices, value: chosen, onChange }: SegmentsProps<Value>) {
  const name = useId()
  return (
    <fieldset className="inline-flex rounded-control border border-line-control bg-surface p-0.5">
      <legend className="sr-only">{legend}</legend>
      {choices.map(({ value, label, Icon }) => (
        <label
          key={value}
          className="inline-flex h-8.5 cursor-pointer items-center gap-1.5 rounded-md px-2.5 font-medium text-muted transition-colors duration-150 hover:text-text has-checked:bg-brand-soft has-checked:text-brand has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand lg:pointer-fine:h-7.5 [&_svg]:size-4"
        >
          <input type="radio" name={name} className="sr-only" checked={value === chosen} onChange={() => onChange(value)} />
          {Icon && <Icon aria-hidden />}
          {label}
        </label>
      ))}
    </fieldset>
  )
}
