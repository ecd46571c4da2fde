import type { IsoDate } from '../../contract/common.ts'
import type { Period } from '../../contract/metrics.ts'
import { dayNumber } from '../../core/analytics/days.ts'

const dayMillis = 86_400_000

// Days are Google's calendar days, not moments: read and written as UTC, so that no time zone can shift one.
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

type Day = { year: number; month: string; day: number }

function parts(date: IsoDate): Day {
  const at = new Date(`${date}T00:00:00Z`)
  return { year: at.getUTCFullYear(), month: monthNames[at.getUTCMonth()] ?? '', day: at.getUTCDate() }
}

/** Days from the first to the second, negative if it is earlier. */
export const daysFrom = (from: IsoDate, to: IsoDate): number => dayNumber(to) - dayNumber(from)

/** `9 Nov`, or `9 Nov 2025` with the year. */
export function formatDay(date: IsoDate, year = false): string {
  const { day, month, year: inYear } = parts(date)
  return year ? `${day} ${month} ${inYear}` : `${day} ${month}`
}

/** `3–9 Nov`, `27 Oct–2 Nov`, `29 Dec 2025–4 Jan 2026`; `year` always adds the year. */
export function formatPeriod({ start, end }: Period, year = false): string {
  const from = parts(start)
  const to = parts(end)
  if (from.year !== to.year) return `${formatDay(start, true)}–${formatDay(end, true)}`
  if (start === end) return formatDay(end, year)
  return `${from.month === to.month ? from.day : formatDay(start)}–${formatDay(end, year)}`
}

/** A moment as people say it: `Today, 14:05`, `Yesterday, 09:30`, `Monday`, `3 Nov`, `3 Nov 2025`. */
export function formatMoment(moment: Date, now: Date): string {
  const days = calendarDaysBefore(moment, now)
  const time = timeOfDay(moment)
  if (days === 0) return `Today, ${time}`
  if (days === 1) return `Yesterday, ${time}`
  if (days > 1 && days < 7) return new Intl.DateTimeFormat('en-GB', { weekday: 'long' }).format(moment)
  return formatDate(moment, now)
}

/** A moment to the minute, however long ago: `Today, 14:05`, `Yesterday, 09:30`, `3 Nov, 14:05`, `3 Nov 2025, 14:05`. */
export function formatInstant(moment: Date, now: Date): string {
  const days = calendarDaysBefore(moment, now)
  return days === 0 || days === 1 ? formatMoment(moment, now) : `${formatDate(moment, now)}, ${timeOfDay(moment)}`
}

/** A future moment within a sentence: `today at 14:05`, `tomorrow at 09:30`, `3 Nov at 08:00`, `3 Nov 2027 at 08:00`. */
export function formatUntil(moment: Date, now: Date): string {
  const days = -calendarDaysBefore(moment, now)
  const day = days === 0 ? 'today' : days === 1 ? 'tomorrow' : formatDate(moment, now)
  return `${day} at ${timeOfDay(moment)}`
}

function timeOfDay(moment: Date): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(moment)
}

/** A moment's local day: `3 Nov`, or `3 Nov 2025` in another year. */
export function formatDate(moment: Date, now: Date): string {
  const day = `${moment.getDate()} ${monthNames[moment.getMonth()]}`
  return moment.getFullYear() === now.getFullYear() ? day : `${day} ${moment.getFullYear()}`
}

/** A day: `3 Nov`, or `3 Nov 2025` in another year than now. */
export const formatDayBy = (date: IsoDate, now: Date): string => formatDay(date, parts(date).year !== now.getFullYear())

/** A moment's local calendar day. */
export function dayOf(moment: Date): IsoDate {
  return new Date(localDay(moment)).toISOString().slice(0, 10)
}

function calendarDaysBefore(moment: Date, now: Date): number {
  return Math.round((localDay(now) - localDay(moment)) / dayMillis)
}

/** Counts local midnights as if all days had 24 hours. */
function localDay(at: Date): number {
  return Date.UTC(at.getFullYear(), at.getMonth(), at.getDate())
}
