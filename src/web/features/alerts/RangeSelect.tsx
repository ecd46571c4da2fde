import { DateRangePicker } from '../../ui/form/DateRangePicker.tsx'
import { Select } from '../../ui/form/Select.tsx'
import type { Period } from '../../../contract/metrics.ts'
import { type AlertsSearch, customPeriod } from './alerts-search.ts'

const choices = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: 'custom', label: 'Custom range' },
] as const

type RangeSelectProps = {
  search: AlertsSearch
  /** The days that have data; without any there is no range to choose. */
  data: Period | null
  onChange: (change: Pick<AlertsSearch, 'range' | 'custom'>) => void
}

export function RangeSelect({ search: { range, custom }, data, onChange }: RangeSelectProps) {
  const period = data === null ? null : customPeriod(custom, data)
  return (
    <>
      <div className="w-38 max-sm:grow">
        <Select
          label="Date range"
          hideLabel
          value={range}
          choices={choices.map((choice) => ({ ...choice, disabled: choice.value === 'custom' && data === null }))}
          placeholder=""
          onChange={(value) => {
            const chosen = choices.find((choice) => choice.value === value)
            if (chosen) onChange({ range: chosen.value, custom: chosen.value === 'custom' ? period : null })
          }}
        />
      </div>
      {range === 'custom' && data !== null && period !== null && (
        <DateRangePicker value={period} span={data} onChange={(chosen) => onChange({ range: 'custom', custom: chosen })} />
      )}
    </>
  )
}
