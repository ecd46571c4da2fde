import type { IsoDate } from '../../contract/common.ts'

const dayMs = 86_400_000

// Judging a rule on each day of months goes through the same few hundred days hundreds of thousands of times, and reading or
// writing a date takes longer than all else it does: those of a century are remembered.
const numbers = new Map<IsoDate, number>()
const names = new Map<number, IsoDate>()
const isRemembered = (day: number): boolean => day >= 10_957 && day < 47_482

/** Days since 1970-01-01; days are counted in UTC so that no clock change makes one longer. */
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

/** Whole days from `start` to `end`, both included; 0 when end lies before start. */
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

/** The calendar day that Search Console calls today: that of America/Los_Angeles, summer time and all. */
export const pacificDay = (now: Date): IsoDate => pacific.format(now)

/** How many rows, in the order of their days, come before a day. Found by halving, as histories have thousands of days. */
export function countBefore(rows: readonly { date: IsoDate }[], date: IsoDate): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.date ?? date) < date) low = middle + 1
    else high = middle
  }
  return low
}

/** The same day of the month `months` earlier, or that month's last day where it is shorter. */
export function monthsBefore(date: IsoDate, months: number): IsoDate {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  const first = new Date(Date.UTC(year, month - 1 - months, 1))
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(day, lastDay))
  return first.toISOString().slice(0, 10)
}

/** Months that Search Console keeps (docs/google-api.md). */
export const searchConsoleMonths = 16
