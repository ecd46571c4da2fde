import { comparison, type Comparison, type Range, ranges } from '../../../contract/analytics.ts'
import { Select } from '../../ui/form/Select.tsx'

/** For the address: the first one goes without saying (SPEC §9). */
export const rangeChoices = ['7', '28', '90'] as const satisfies readonly `${Range}`[]
export const comparisonChoices = ['previous', 'year', 'none'] as const satisfies readonly Comparison[]
export type RangeChoice = (typeof rangeChoices)[number]

export const rangeOf = (choice: RangeChoice): Range => ranges.find((range) => String(range) === choice) ?? ranges[0]

const comparisonLabels: Record<Comparison, string> = {
  previous: 'vs previous period',
  year: 'vs same period last year',
  none: 'No comparison',
}

type RangeSelectProps = { value: RangeChoice; onChange: (value: RangeChoice) => void; hideLabel?: boolean }

export function RangeSelect({ value, onChange, hideLabel = false }: RangeSelectProps) {
  return (
    <Select
      label="Time Range"
      hideLabel={hideLabel}
      value={value}
      choices={rangeChoices.map((days) => ({ value: days, label: `Last ${days} days` }))}
      placeholder=""
      onChange={(chosen) => {
        const found = rangeChoices.find((days) => days === chosen)
        if (found !== undefined) onChange(found)
      }}
    />
  )
}

type CompareSelectProps = { value: Comparison; onChange: (value: Comparison) => void; hideLabel?: boolean }

export function CompareSelect({ value, onChange, hideLabel = false }: CompareSelectProps) {
  return (
    <Select
      label="Compare"
      hideLabel={hideLabel}
      value={value}
      choices={comparisonChoices.map((each) => ({ value: each, label: comparisonLabels[each] }))}
      placeholder=""
      onChange={(chosen) => onChange(comparison.parse(chosen))}
    />
  )
}
