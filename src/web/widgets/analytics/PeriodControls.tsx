import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { CalendarDays, CalendarPlus } from 'lucide-react'
import type { IsoDate } from '../../../contract/common.ts'
import {
  type HistoryAsked,
  type HistoryGrain,
  historyGrains,
  type HistoryRange,
  historyRanges,
  type NamedRange,
  writeRange,
} from '../../../contract/history.ts'
import type { Period } from '../../../contract/metrics.ts'
import { type Comparison, type NamedComparison, namedComparisons } from '../../../contract/range.ts'
import { addDays, daysBetween, later } from '../../../core/analytics/days.ts'
import { historyQuery } from '../../api/analytics.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Calendar } from '../../ui/form/Calendar.tsx'
import { RangeCalendar } from '../../ui/form/DateRangePicker.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { Popover } from '../../ui/overlay/Popover.tsx'
import { askingFor, periodIn, periodView, rangeLabels } from './period-view.ts'
import { anyOrder, useListView } from './use-list-view.ts'

const grainLabels: Record<HistoryGrain, string> = { day: 'By day', week: 'By week', month: 'By month' }

type PeriodControlsProps = {
  view: HistoryAsked
  onChange: (change: Partial<HistoryAsked>) => void
  /** The days on screen, and the stored ones; undefined while unknown, null if there are none. */
  days: ShownDays | null | undefined
  /** False if nothing on screen is by day, week or month. */
  hasInterval?: boolean
  /** False if nothing on screen is compared. */
  hasComparison?: boolean
}

/** A screen's days, what they are compared with, and what one point or date represents: the same on every screen with figures. */
export function PeriodControls({ view: { range, compare, grain }, onChange: show, days, ...has }: PeriodControlsProps) {
  const { hasInterval = true, hasComparison = true } = has
  return (
    <>
      <RangeSelect value={range} days={days} onChange={(chosen) => show({ range: chosen })} />
      {hasComparison && (
        <div className={clsx('max-sm:min-w-40 max-sm:flex-1', typeof compare === 'string' ? 'w-44' : 'w-65')}>
          <ComparisonSelect value={compare} days={days} onChange={(chosen) => show({ compare: chosen })} />
        </div>
      )}
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

const periodOfList = { ...periodView, ...anyOrder } as const

/** The same for the days in the URL, on a screen that doesn't otherwise ask which days are stored. */
export function PeriodOfScreen({ property, hasInterval }: { property: string; hasInterval: boolean }) {
  const [written, show] = useListView(periodOfList)
  const view = periodIn(written)
  return <PeriodOf property={property} view={view} onChange={(change) => show(askingFor(change))} hasInterval={hasInterval} />
}

/** The same for any days. */
export function PeriodOf({ property, ...controls }: { property: string } & Omit<PeriodControlsProps, 'days'>) {
  const { data } = useQuery(historyQuery(property, { range: controls.view.range, compare: 'none', grain: 'month' }))
  return <PeriodControls {...controls} days={data} />
}

/** SPEC §9's list; longer ones are next to it. */
const listed = ['7d', '28d', '90d'] as const satisfies readonly NamedRange[]
const longer = historyRanges.filter((each) => !listed.some((one) => one === each))

type RangeSelectProps = {
  value: HistoryRange
  onChange: (value: HistoryRange) => void
  days: ShownDays | null | undefined
}

/** Which days: a short list, with all other stored days next to it. */
function RangeSelect({ value, onChange, days }: RangeSelectProps) {
  const written = writeRange(value)
  const label = typeof value === 'string' ? rangeLabels[value] : formatPeriod(value, true)
  return (
    <div className="flex min-w-0 items-end gap-1.5 max-sm:w-full">
      <div className={clsx('min-w-0 max-sm:grow', typeof value === 'string' ? 'w-38' : 'w-58')}>
        <Select
          label="Time Range"
          hideLabel
          value={written}
          choices={[
            ...listed.map((each) => ({ value: each, label: rangeLabels[each] })),
            ...(listed.some((each) => each === value) ? [] : [{ value: written, label }]),
          ]}
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
        trigger={
          <>
            <CalendarPlus aria-hidden className="text-muted" />
            More
          </>
        }
      >
        {(close) => (
          <LongerRanges
            value={value}
            days={days}
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

function LongerRanges({ value, days, onChange }: RangeSelectProps) {
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
      {days && (
        <RangeCalendar
          value={typeof value === 'string' ? days.period : value}
          span={{ start: days.firstDay, end: days.completeThrough }}
          onChange={onChange}
        />
      )}
    </>
  )
}

/** The days on screen, and the stored ones. */
type ShownDays = { period: Period; firstDay: IsoDate; completeThrough: IsoDate }

type ComparisonSelectProps = {
  value: Comparison
  onChange: (value: Comparison) => void
  /** Undefined while unknown, null if there are none. */
  days: ShownDays | null | undefined
}

const labels: Record<NamedComparison, string> = { previous: 'vs previous period', year: 'vs previous year', none: 'No comparison' }

/** What days are compared with; chosen days are as many, from a chosen one on. */
function ComparisonSelect({ value, onChange, days }: ComparisonSelectProps) {
  const chosen = typeof value === 'string' ? null : value
  return (
    <div className="flex min-w-0 items-end gap-1.5">
      <div className="min-w-0 grow">
        <Select
          label="Compare"
          hideLabel
          value={chosen === null ? String(value) : 'chosen'}
          choices={[
            ...namedComparisons.map((each) => ({ value: each, label: labels[each] })),
            {
              value: 'chosen',
              label: chosen && days ? `vs ${formatPeriod(comparedWith(chosen.start, days), true)}` : 'vs custom dates',
              disabled: !days && chosen === null,
            },
          ]}
          placeholder=""
          onChange={(picked) => {
            const named = namedComparisons.find((each) => each === picked)
            if (named !== undefined) onChange(named)
            else if (days && chosen === null) onChange({ start: later(addDays(days.period.start, -lengthOf(days)), days.firstDay) })
          }}
        />
      </div>
      {chosen && days && <FirstDay days={days} start={chosen.start} onChange={(start) => onChange({ start })} />}
    </div>
  )
}

const lengthOf = ({ period }: ShownDays): number => daysBetween(period.start, period.end)
const comparedWith = (start: IsoDate, days: ShownDays): Period => ({ start, end: addDays(start, lengthOf(days) - 1) })

type FirstDayProps = { days: ShownDays; start: IsoDate; onChange: (start: IsoDate) => void }

function FirstDay({ days, start, onChange }: FirstDayProps) {
  const { firstDay, completeThrough } = days
  const length = lengthOf(days)
  const last = later(addDays(completeThrough, 1 - length), firstDay)
  return (
    <Popover
      label={`Compared days: ${formatPeriod(comparedWith(start, days), true)}`}
      title="Choose days to compare with"
      triggerClass={buttonClass('secondary', 'shrink-0 px-2.5!')}
      trigger={<CalendarDays aria-hidden className="text-muted" />}
    >
      {(close) => (
        <div className="pb-1">
          <p className="mb-2 text-sm text-muted">
            {length === 1 ? 'Choose the day to compare with.' : `Choose the first of ${length} days to compare with.`}
          </p>
          <Calendar
            span={{ start: firstDay, end: last }}
            selected={comparedWith(start, days)}
            initial={start}
            onPick={(day) => {
              onChange(day)
              close()
            }}
          />
        </div>
      )}
    </Popover>
  )
}
