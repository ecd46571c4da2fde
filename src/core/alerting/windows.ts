import type { IsoDate } from '../../contract/common.ts'
import { addDays, daysBetween } from '../analytics/days.ts'
import type { Comparison, Window } from './rule.ts'

/** Every window that is judged is a week, so that each day of the week is in it once. */
export const windowDays = 7
/** Weeks before the judged one that tell how much an entity usually varies. */
export const historyWeeks = 12
/** 52 weeks, so that the same weekdays meet. */
const yearDays = 364

export type Windows = {
  current: Window
  base: Window
  /** What sums of the base are multiplied with to be those of as many days as the current window has. */
  scale: number
}

/** The week that ends with `through`, and what it is compared with. */
export function windowsOf(comparison: Comparison, through: IsoDate): Windows {
  const current = week(through)
  switch (comparison) {
    case 'previous_7_days':
      return { current, base: week(addDays(through, -windowDays)), scale: 1 }
    case 'previous_30_days': {
      const end = addDays(through, -windowDays)
      return { current, base: { start: addDays(end, -29), end }, scale: windowDays / 30 }
    }
    case 'same_period_last_year':
      return { current, base: week(addDays(through, -yearDays)), scale: 1 }
  }
}

/** The weeks before the current one, the latest first. */
export const weeksBefore = ({ start }: Window, weeks: number = historyWeeks): Window[] =>
  Array.from({ length: weeks }, (_, i) => week(addDays(start, -1 - i * windowDays)))

/** Weeks that tell what the same week was to those before it. */
const seasonWeeks = 4

/** The same week a year ago, and those before it, the latest first: what a season does. */
export function yearBefore({ end }: Window): Window[] {
  const then = week(addDays(end, -yearDays))
  return [then, ...weeksBefore(then, seasonWeeks)]
}

const week = (end: IsoDate): Window => ({ start: addDays(end, 1 - windowDays), end })

/** Whether each day of a window is among the days whose figures are complete. A day that is missing is not a zero. */
export function isComplete({ start, end }: Window, completeDays: ReadonlySet<IsoDate>): boolean {
  for (let i = 0, days = daysBetween(start, end); i < days; i++) if (!completeDays.has(addDays(start, i))) return false
  return true
}
