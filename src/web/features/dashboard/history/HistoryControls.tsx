import { useQuery } from '@tanstack/react-query'
import { type HistoryComparison, type HistoryGrain, historyRanges, type NamedRange } from '../../../../contract/history.ts'
import { historyQuery } from '../../../api/analytics.ts'
import { DateRangePicker } from '../../../ui/form/DateRangePicker.tsx'
import { Select } from '../../../ui/form/Select.tsx'
import { useHistoryView } from './use-history-view.ts'

const rangeLabels: Record<NamedRange, string> = {
  '7d': 'Last 7 days',
  '28d': 'Last 28 days',
  '3m': 'Last 3 months',
  '6m': 'Last 6 months',
  '12m': 'Last 12 months',
  '16m': 'Last 16 months',
  all: 'All stored days',
}
const comparisonLabels: Record<HistoryComparison, string> = {
  previous: 'vs previous period',
  year: 'vs previous year',
  none: 'No comparison',
}
const grainLabels: Record<HistoryGrain, string> = { day: 'By day', week: 'By week', month: 'By month' }

/** Which days the chart shows, what they are compared with, and what one of its points stands for. */
export function HistoryControls({ property }: { property: string }) {
  const [{ range, compare, grain }, show] = useHistoryView()
  const { data } = useQuery(historyQuery(property, { range, compare, grain }))
  const isCustom = typeof range !== 'string'
  return (
    <>
      <div className="w-38 max-sm:w-full">
        <Select
          label="Range"
          hideLabel
          value={isCustom ? 'custom' : range}
          choices={[
            ...historyRanges.map((value) => ({ value, label: rangeLabels[value] })),
            { value: 'custom', label: 'Custom range', disabled: !data && !isCustom },
          ]}
          placeholder=""
          onChange={(value) => {
            const named = historyRanges.find((each) => each === value)
            if (named !== undefined) show({ range: named })
            else if (data && !isCustom) show({ range: data.period })
          }}
        />
      </div>
      {isCustom && data && (
        <div className="max-sm:w-full">
          <DateRangePicker
            value={range}
            span={{ start: data.firstDay, end: data.completeThrough }}
            onChange={(chosen) => show({ range: chosen })}
          />
        </div>
      )}
      <div className="w-44 max-sm:min-w-0 max-sm:flex-1">
        <Named label="Compare" value={compare} labels={comparisonLabels} onChange={(chosen) => show({ compare: chosen })} />
      </div>
      <div className="w-30">
        <Named label="Interval" value={grain} labels={grainLabels} onChange={(chosen) => show({ grain: chosen })} />
      </div>
    </>
  )
}

type NamedProps<Value extends string> = {
  label: string
  value: Value
  labels: Record<Value, string>
  onChange: (value: Value) => void
}

/** One of a few values, in the order of their labels' table. */
function Named<Value extends string>({ label, value, labels, onChange }: NamedProps<Value>) {
  const values = Object.keys(labels) as Value[]
  return (
    <Select
      label={label}
      hideLabel
      value={value}
      choices={values.map((each) => ({ value: each, label: labels[each] }))}
      placeholder=""
      onChange={(chosen) => {
        const known = values.find((each) => each === chosen)
        if (known !== undefined) onChange(known)
      }}
    />
  )
}
