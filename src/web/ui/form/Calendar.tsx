import { clsx } from 'clsx'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { IsoDate } from '../../../contract/common.ts'
import type { Period } from '../../../contract/metrics.ts'
import { clampDay, dayAfterKey, dayTitle, hasMonth, monthsAfter, monthTitle, weekdays, weeksOf, within } from '../../lib/calendar.ts'
import { IconButton } from '../Button.tsx'

type CalendarProps = {
  /** The selectable days. */
  span: Period
  selected: Period | null
  /** The day shown when it opens. */
  initial: IsoDate
  onPick: (day: IsoDate) => void
  /** The day under the pointer or with the focus. */
  onReach?: (day: IsoDate) => void
}

/** A month of days. Arrow, Home, End and Page keys navigate; takes the focus when it appears. */
export function Calendar({ span, selected, initial, onPick, onReach }: CalendarProps) {
  const id = useId()
  const [day, setDay] = useState(() => clampDay(initial, span))
  const grid = useRef<HTMLTableElement>(null)
  const takesFocus = useRef(true)
  useEffect(() => {
    if (!takesFocus.current) return
    takesFocus.current = false
    grid.current?.querySelector<HTMLButtonElement>('button[tabindex="0"]')?.focus()
  })

  function onKeyDown(event: KeyboardEvent) {
    const next = dayAfterKey(day, event.key)
    if (next === null) return
    event.preventDefault()
    const reached = clampDay(next, span)
    takesFocus.current = reached !== day
    setDay(reached)
  }

  return (
    <div className="w-full max-w-70">
      <div className="flex items-center justify-between">
        <MonthButton months={-1} day={day} span={span} onChange={setDay} />
        <p id={id} aria-live="polite" className="font-semibold">
          {monthTitle(day)}
        </p>
        <MonthButton months={1} day={day} span={span} onChange={setDay} />
      </div>
      <table ref={grid} aria-labelledby={id} className="mt-1 w-full table-fixed border-collapse tabular-nums">
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col" className="h-8 text-xs font-medium text-muted">
                <span aria-hidden>{name.slice(0, 2)}</span>
                <span className="sr-only">{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(day).map((week) => (
            <tr key={week.find((date) => date !== null)}>
              {week.map((date, index) => (
                <td key={weekdays[index]} className={clsx('p-0', date !== null && band(date, selected))}>
                  {date !== null && (
                    <button
                      type="button"
                      tabIndex={date === day ? 0 : -1}
                      aria-label={dayTitle(date)}
                      aria-pressed={selected !== null && within(date, selected)}
                      disabled={!within(date, span)}
                      className={clsx(
                        'control w-full rounded-control disabled:text-muted disabled:opacity-50',
                        selected !== null && (date === selected.start || date === selected.end)
                          ? 'bg-brand font-semibold text-on-brand'
                          : 'enabled:hover:bg-sunken',
                      )}
                      onClick={() => {
                        setDay(date)
                        onPick(date)
                      }}
                      onKeyDown={onKeyDown}
                      onPointerEnter={() => onReach?.(date)}
                      onFocus={() => onReach?.(date)}
                    >
                      {Number(date.slice(8))}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The band connecting a range's days. */
function band(date: IsoDate, selected: Period | null): string {
  if (selected === null || !within(date, selected)) return ''
  return clsx('bg-brand-soft', date === selected.start && 'rounded-l-control', date === selected.end && 'rounded-r-control')
}

type MonthButtonProps = { months: -1 | 1; day: IsoDate; span: Period; onChange: (day: IsoDate) => void }

function MonthButton({ months, day, span, onChange }: MonthButtonProps) {
  const there = hasMonth(day, months, span)
  return (
    <IconButton
      aria-label={months < 0 ? 'Previous month' : 'Next month'}
      // Not `disabled`, or the focus would be lost with the last month.
      aria-disabled={!there}
      className={there ? '' : 'opacity-40'}
      onClick={() => {
        if (there) onChange(clampDay(monthsAfter(day, months), span))
      }}
    >
      {months < 0 ? <ChevronLeft aria-hidden /> : <ChevronRight aria-hidden />}
    </IconButton>
  )
}
