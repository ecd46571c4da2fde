import type { IsoDate } from '../../../contract/common.ts'
import { type HistoryAsked, type HistoryComparison, type HistoryGrain, historyRanges, type NamedRange } from '../../../contract/history.ts'
import type { Period } from '../../../contract/metrics.ts'
import { DateRangePicker } from '../../ui/form/DateRangePicker.tsx'
import { Select } from '../../ui/form/Select.tsx'

export const rangeLabels: Record<NamedRange, string> = {
  '7d': 'Last 7 days',
  '28d': 'Last 28 days',
  '90d': 'Last 90 days',
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

type PeriodControlsProps = {
  view: HistoryAsked
  onChange: (change: Partial<HistoryAsked>) => void
  /** The days on screen, and those that are stored; undefined until they are known, null where there are none. */
  days: { period: Period; firstDay: IsoDate; completeThrough: IsoDate } | null | undefined
  /** False where nothing on screen goes by day, week or month. */
  hasInterval?: boolean
}

/** Which days a screen shows, what they are compared with, and what a point or date of it stands for. */
export function PeriodControls({ view: { range, compare, grain }, onChange: show, days: data, hasInterval = true }: PeriodControlsProps) {
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
      <div className="w-44 max-sm:min-w-40 max-sm:flex-1">
        <Named label="Compare" value={compare} labels={comparisonLabels} onChange={(chosen) => show({ compare: chosen })} />
      </div>
      {hasInterval && (
        <div className="w-30">
          <Named label="Interval" value={grain} labels={grainLabels} onChange={(chosen) => show({ grain: chosen })} />
        </div>
      )}
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
