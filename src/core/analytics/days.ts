import type { IsoDate } from '../../contract/common.ts'

const dayMs = 86_400_000

// Evaluating a rule on every day of many months visits the same few hundred days hundreds of thousands of times, and parsing or formatting
// dates takes longer than everything else, so a century of them is cached.
const numbers = new Map<IsoDate, number>()
const names = new Map<number, IsoDate>()
const isRemembered = (day: number): boolean => day >= 10_957 && day < 47_482

/** Days since 1970-01-01, counted in UTC so that clock changes don't lengthen any. */
export function dayNumber(date: IsoDate): number {
  const known = numbers.get(date)
  if (known !== undefined) return known
  const day = Date.parse(`${date}T00:00:00Z`) / dayMs
  if (isRemembered(day)) numbers.set(date, day)
  return day
}

export function fromDayNumber(day: number): IsoDate {
  const known = names.get(day)
  if (known !== undefined) return known
  const date = new Date(day * dayMs).toISOString().slice(0, 10)
  if (isRemembered(day)) names.set(day, date)
  return date
}

/** The day `days` after `date`; negative goes back. */
export const addDays = (date: IsoDate, days: number): IsoDate => fromDayNumber(dayNumber(date) + days)

/** Whole days from `start` to `end`, both included; 0 if `end` is before `start`. */
export const daysBetween = (start: IsoDate, end: IsoDate): number => Math.max(0, dayNumber(end) - dayNumber(start) + 1)

/** Every day from `start` to `end`, both included, oldest first. */
export const eachDay = (start: IsoDate, end: IsoDate): IsoDate[] =>
  Array.from({ length: daysBetween(start, end) }, (_, i) => addDays(start, i))

export const earlier = (a: IsoDate, b: IsoDate): IsoDate => (a < b ? a : b)
export const later = (a: IsoDate, b: IsoDate): IsoDate => (a > b ? a : b)

const pacific = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Los_Angeles',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/** Search Console's current calendar day, which follows America/Los_Angeles including daylight saving time. */
export const pacificDay = (now: Date): IsoDate => pacific.format(now)

/** How many of the rows, sorted by day, come before a day. Uses binary search, as histories have thousands of days. */
export function countBefore(rows: readonly { date: IsoDate }[], date: IsoDate): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.date ?? date) < date) low = middle + 1
    else high = middle
  }
  return low
}

/** The same day of the month `months` earlier, or the last day of a shorter month. */
export function monthsBefore(date: IsoDate, months: number): IsoDate {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  const first = new Date(Date.UTC(year, month - 1 - months, 1))
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(day, lastDay))
  return first.toISOString().slice(0, 10)
}

/** How many months of data Search Console keeps (docs/google-api.md). */
export const searchConsoleMonths = 16
