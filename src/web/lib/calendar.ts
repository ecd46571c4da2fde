import type { IsoDate } from '../../contract/common.ts'
import type { Period } from '../../contract/metrics.ts'
import { addDays, dayNumber, earlier, later, monthsBefore } from '../../core/analytics/days.ts'

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** 0 is Monday. */
const weekday = (date: IsoDate): number => (new Date(dayNumber(date) * 86_400_000).getUTCDay() + 6) % 7
const firstOfMonth = (date: IsoDate): IsoDate => `${date.slice(0, 8)}01`

/** The weeks in which to draw a day's month, from Monday; null for other months' days. */
export function weeksOf(date: IsoDate): (IsoDate | null)[][] {
  const first = firstOfMonth(date)
  const month = first.slice(0, 7)
  const weeks: (IsoDate | null)[][] = []
  for (let monday = addDays(first, -weekday(first)); monday.slice(0, 7) <= month; monday = addDays(monday, 7)) {
    weeks.push(weekdays.map((_name, index) => addDays(monday, index)).map((day) => (day.startsWith(month) ? day : null)))
  }
  return weeks
}

export const within = (date: IsoDate, { start, end }: Period): boolean => start <= date && date <= end

export const clampDay = (date: IsoDate, { start, end }: Period): IsoDate => later(start, earlier(date, end))

/** Where a key moves in a calendar; null for other keys. */
export function dayAfterKey(date: IsoDate, key: string): IsoDate | null {
  switch (key) {
    case 'ArrowLeft':
      return addDays(date, -1)
    case 'ArrowRight':
      return addDays(date, 1)
    case 'ArrowUp':
      return addDays(date, -7)
    case 'ArrowDown':
      return addDays(date, 7)
    case 'Home':
      return addDays(date, -weekday(date))
    case 'End':
      return addDays(date, 6 - weekday(date))
    case 'PageUp':
      return monthsBefore(date, 1)
    case 'PageDown':
      return monthsBefore(date, -1)
    default:
      return null
  }
}

/** Whether the month before or after `date` has selectable days. */
export const hasMonth = (date: IsoDate, months: -1 | 1, span: Period): boolean =>
  months < 0 ? firstOfMonth(date) > span.start : monthsBefore(firstOfMonth(date), -1) <= span.end

export const monthsAfter = (date: IsoDate, months: number): IsoDate => monthsBefore(date, -months)

/** Both days in order, whichever was selected first. */
export const periodOf = (one: IsoDate, other: IsoDate): Period => ({ start: earlier(one, other), end: later(one, other) })

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** `March 2026` */
export const monthTitle = (date: IsoDate): string => `${months[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`
/** `Monday, 16 March 2026` */
export const dayTitle = (date: IsoDate): string => `${weekdays[weekday(date)]}, ${Number(date.slice(8))} ${monthTitle(date)}`
