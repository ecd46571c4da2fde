import type { IsoDate } from '../../../contract/common.ts'
import type { Period } from '../../../contract/metrics.ts'
import { addDays } from '../../../core/analytics/days.ts'
import { dayOf } from '../dates.ts'

/** The same time of day, some days later: a night in which the clocks change moves nothing. */
export function daysLater(now: Date, days: number): Date {
  const later = new Date(now)
  later.setDate(later.getDate() + days)
  return later
}

const wakingHour = 8

/** When an alert that is snoozed until a day comes back: in the morning, where the person is. */
export function morningOf(date: IsoDate): Date {
  const [year, month, day] = date.split('-').map(Number)
  return new Date(year ?? 0, (month ?? 1) - 1, day, wakingHour)
}

/** From tomorrow on; a year is the most that the server allows. */
export function snoozeDays(now: Date): Period {
  const today = dayOf(now)
  return { start: addDays(today, 1), end: addDays(today, 365) }
}
