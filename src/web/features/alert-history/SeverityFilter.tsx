import { useId } from 'react'
import { type SeverityChoice, severityChoices } from './history-search.ts'

const labels: Record<SeverityChoice, string> = { all: 'All', critical: 'Critical', warning: 'Warning', positive: 'Positive' }

type SeverityFilterProps = { value: SeverityChoice; onChange: (value: SeverityChoice) => void }

export function SeverityFilter({ value, onChange }: SeverityFilterProps) {
  const name = useId()
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">Severity</legend>
      {severityChoices.map((choice) => (
        <label
          key={choice}
          className="control inline-flex cursor-pointer items-center rounded-control px-3 font-medium text-muted transition-colors duration-150 hover:bg-sunken has-checked:bg-brand-soft has-checked:text-brand has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand"
        >
          <input type="radio" name={name} className="sr-only" checked={choice === value} onChange={() => onChange(choice)} />
          {labels[choice]}
        </label>
      ))}
    </fieldset>
  )
}
