import { Select } from '../../../ui/form/Select.tsx'
import { hourChoices } from './times.ts'

type HourSelectProps = { label: string; hour: number; except?: number; onChange: (hour: number) => void }

/** Selects a full hour of the day. */
export function HourSelect({ label, hour, except, onChange }: HourSelectProps) {
  return (
    <Select
      label={label}
      placeholder="Choose an hour"
      value={String(hour)}
      choices={hourChoices(except ?? null)}
      onChange={(value) => onChange(Number(value))}
    />
  )
}
