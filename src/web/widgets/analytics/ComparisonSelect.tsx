import { CalendarDays } from 'lucide-react'
import type { IsoDate } from '../../../contract/common.ts'
import { type Comparison, type NamedComparison, namedComparisons } from '../../../contract/range.ts'
import type { Period } from '../../../contract/metrics.ts'
import { addDays, daysBetween, later } from '../../../core/analytics/days.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Calendar } from '../../ui/form/Calendar.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { Popover } from '../../ui/overlay/Popover.tsx'

/** The days on screen, and the stored ones. */
export type ShownDays = { period: Period; firstDay: IsoDate; completeThrough: IsoDate }

type ComparisonSelectProps = {
  value: Comparison
  onChange: (value: Comparison) => void
  /** Undefined while unknown, null if there are none. */
  days: ShownDays | null | undefined
}

const labels: Record<NamedComparison, string> = { previous: 'vs previous period', year: 'vs previous year', none: 'No comparison' }

/** What days are compared with; chosen days are as many, from a chosen one on. */
export function ComparisonSelect({ value, onChange, days }: ComparisonSelectProps) {
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
