import { CalendarDays } from 'lucide-react'
import { useState } from 'react'
import type { IsoDate } from '../../../contract/common.ts'
import type { Period } from '../../../contract/metrics.ts'
import { periodOf } from '../../lib/calendar.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { buttonClass } from '../Button.tsx'
import { Popover } from '../overlay/Popover.tsx'
import { Calendar } from './Calendar.tsx'

/** A button that shows a date range and opens a calendar to change it. */
export function DateRangePicker({ value, span, onChange }: RangeCalendarProps) {
  const text = formatPeriod(value, true)
  return (
    <Popover
      label={`Dates: ${text}`}
      title="Choose dates"
      triggerClass={buttonClass('secondary', 'tabular-nums')}
      trigger={
        <>
          <CalendarDays aria-hidden className="text-muted" />
          {text}
        </>
      }
    >
      {(close) => (
        <RangeCalendar
          value={value}
          span={span}
          onChange={(chosen) => {
            onChange(chosen)
            close()
          }}
        />
      )}
    </Popover>
  )
}

type RangeCalendarProps = {
  value: Period
  /** The days with data. */
  span: Period
  onChange: (value: Period) => void
}

/** A calendar for selecting a range by its first and last day. */
export function RangeCalendar({ value, span, onChange }: RangeCalendarProps) {
  const [first, setFirst] = useState<IsoDate | null>(null)
  const [reached, setReached] = useState<IsoDate | null>(null)
  return (
    <div className="pb-1">
      <p aria-live="polite" className="mb-2 text-sm text-muted">
        {first === null ? 'Choose the first day.' : 'Choose the last day.'}
      </p>
      <Calendar
        span={span}
        selected={first === null ? value : periodOf(first, reached ?? first)}
        initial={value.end}
        onReach={setReached}
        onPick={(day) => {
          if (first === null) setFirst(day)
          else onChange(periodOf(first, day))
        }}
      />
      <p className="mt-2 text-sm text-muted tabular-nums">Data available: {formatPeriod(span, true)}</p>
    </div>
  )
}
