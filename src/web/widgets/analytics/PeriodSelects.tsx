import { useQuery } from '@tanstack/react-query'
import { ranges } from '../../../contract/analytics.ts'
import { type HistoryRange, historyRange, historyRanges, type NamedRange, writeRange } from '../../../contract/history.ts'
import { CalendarPlus } from 'lucide-react'
import { historyQuery } from '../../api/analytics.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { RangeCalendar } from '../../ui/form/DateRangePicker.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { Popover } from '../../ui/overlay/Popover.tsx'
import { rangeLabels } from './PeriodControls.tsx'

/** A URL's days for a list. `days` is the form from before there were other ranges; it is read, but never written. */
export const periodView = { range: 'text', days: 'text', compare: 'text' } as const

/** The default (SPEC §9). */
const usualRange: HistoryRange = '7d'

/** The days requested by a URL; ignores invalid values. */
export function rangeIn({ range, days }: { range: string; days: string }): HistoryRange {
  const named = historyRange.safeParse(range)
  if (named.success) return named.data
  return ranges.some((each) => String(each) === days) ? historyRange.parse(`${days}d`) : usualRange
}

/** The URL change that requests other days. */
export const askingFor = (range: HistoryRange) => ({ range: range === usualRange ? '' : writeRange(range), days: '' })

/** SPEC §9's list; longer ones are next to it. */
const listed = ['7d', '28d', '90d'] as const satisfies readonly NamedRange[]
const longer = historyRanges.filter((each) => !listed.some((one) => one === each))

const nameOf = (range: HistoryRange): string => (typeof range === 'string' ? rangeLabels[range] : formatPeriod(range, true))

type RangeSelectProps = {
  property: string
  value: HistoryRange
  onChange: (value: HistoryRange) => void
  hideLabel?: boolean
}

/** Which days: a short list, with all other stored days next to it. */
export function RangeSelect({ property, value, onChange, hideLabel = false }: RangeSelectProps) {
  const written = writeRange(value)
  const others = listed.some((each) => each === value) ? [] : [{ value: written, label: nameOf(value) }]
  return (
    <div className="flex min-w-0 items-end gap-1.5">
      <div className="min-w-0 grow">
        <Select
          label="Time Range"
          hideLabel={hideLabel}
          value={written}
          choices={[...listed.map((each) => ({ value: each, label: rangeLabels[each] })), ...others]}
          placeholder=""
          onChange={(chosen) => {
            const found = listed.find((each) => each === chosen)
            if (found !== undefined) onChange(found)
          }}
        />
      </div>
      <Popover
        label="More time ranges"
        title="More time ranges"
        triggerClass={buttonClass('secondary', 'shrink-0 px-2.5!')}
        trigger={<CalendarPlus aria-hidden className="text-muted" />}
      >
        {(close) => (
          <LongerRanges
            property={property}
            value={value}
            onChange={(chosen) => {
              onChange(chosen)
              close()
            }}
          />
        )}
      </Popover>
    </div>
  )
}

function LongerRanges({ property, value, onChange }: RangeSelectProps) {
  // The stored days; any history includes them, and this is the shortest.
  const { data: stored } = useQuery(historyQuery(property, { range: '7d', compare: 'none', grain: 'month' }))
  return (
    <>
      <ul className="mb-3 grid grid-cols-2 gap-1.5">
        {longer.map((range) => (
          <li key={range}>
            <button
              type="button"
              aria-pressed={range === value}
              className={buttonClass('secondary', 'w-full aria-pressed:text-brand')}
              onClick={() => onChange(range)}
            >
              {rangeLabels[range]}
            </button>
          </li>
        ))}
      </ul>
      {stored && (
        <RangeCalendar
          value={typeof value === 'string' ? stored.period : value}
          span={{ start: stored.firstDay, end: stored.completeThrough }}
          onChange={onChange}
        />
      )}
    </>
  )
}
