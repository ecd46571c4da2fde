import { CalendarDays } from 'lucide-react'
import { formatPeriod } from '../../lib/dates.ts'
import { buttonClass } from '../Button.tsx'
import { Popover } from '../overlay/Popover.tsx'
import { RangeCalendar, type RangeCalendarProps } from './RangeCalendar.tsx'

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
