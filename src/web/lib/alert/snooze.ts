import type { IsoDate } from '../../../contract/common.ts'
import type { Period } from '../../../contract/metrics.ts'
import { addDays } from '../../../core/analytics/days.ts'
import { dayOf } from '../dates.ts'

/** The same time of day, some days later: clock changes don't move it. */
export function daysLater(now: Date, days: number): Date {
  const later = new Date(now)
  later.setDate(later.getDate() + days)
  return later
}

const wakingHour = 8

/** When an alert snoozed until a day returns: in the morning, local time. */
export function morningOf(date: IsoDate): Date {
  const [year, month, day] = date.split('-').map(Number)
  return new Date(year ?? 0, (month ?? 1) - 1, day, wakingHour)
}

/** From tomorrow; the server allows at most a year. */
export function snoozeDays(now: Date): Period {
  const today = dayOf(now)
  return { start: addDays(today, 1), end: addDays(today, 365) }
}
