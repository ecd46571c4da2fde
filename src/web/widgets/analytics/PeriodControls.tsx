import { clsx } from 'clsx'
import { type HistoryAsked, type HistoryGrain, historyGrains, historyRanges, type NamedRange } from '../../../contract/history.ts'
import { DateRangePicker } from '../../ui/form/DateRangePicker.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { ComparisonSelect, type ShownDays } from './CompareSelect.tsx'

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
const grainLabels: Record<HistoryGrain, string> = { day: 'By day', week: 'By week', month: 'By month' }

type PeriodControlsProps = {
  view: HistoryAsked
  onChange: (change: Partial<HistoryAsked>) => void
  /** The days on screen, and the stored ones; undefined while unknown, null if there are none. */
  days: ShownDays | null | undefined
  /** False if nothing on screen is by day, week or month. */
  hasInterval?: boolean
}

/** A screen's days, what they are compared with, and what one point or date represents. */
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
      <div className={clsx('max-sm:min-w-40 max-sm:flex-1', typeof compare === 'string' ? 'w-44' : 'w-65')}>
        <ComparisonSelect
          hideLabel
          value={compare}
          yearLabel="vs previous year"
          days={data}
          onChange={(chosen) => show({ compare: chosen })}
        />
      </div>
      {hasInterval && (
        <div className="w-30">
          <Select
            label="Interval"
            hideLabel
            value={grain}
            choices={historyGrains.map((each) => ({ value: each, label: grainLabels[each] }))}
            placeholder=""
            onChange={(chosen) => {
              const known = historyGrains.find((each) => each === chosen)
              if (known !== undefined) show({ grain: known })
            }}
          />
        </div>
      )}
    </>
  )
}
