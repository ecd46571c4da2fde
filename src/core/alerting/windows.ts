import type { IsoDate } from '../../contract/common.ts'
import { addDays, daysBetween } from '../analytics/days.ts'
import type { Comparison, Window } from './rule.ts'

/** Every window is one week long, so that it has each weekday once. */
export const windowDays = 7
/** How many preceding weeks show how much an entity usually varies. */
export const historyWeeks = 12
/** 52 weeks, so that weekdays match. */
const yearDays = 364

export type Windows = {
  current: Window
  base: Window
  /** Factor that scales sums of the base to the length of the current window. */
  scale: number
}

/** The week that ends on `through`, and the window it is compared with. */
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

/**
 * Whether days are compared with those of a year ago: a site may be below last year for months, which says nothing about what happens to it
 * this week.
 */
export const isOverAYear = ({ current, base }: Pick<Windows, 'current' | 'base'>): boolean =>
  daysBetween(base.end, current.end) > yearDays / 2

/** The weeks before the current one, latest first. */
export const weeksBefore = ({ start }: Window, weeks: number = historyWeeks): Window[] =>
  Array.from({ length: weeks }, (_, i) => week(addDays(start, -1 - i * windowDays)))

/** How many weeks show how a week of the year compares with those before it. */
export const seasonWeeks = 4
/** An outage is over by the third week after it; a season mostly isn't. */
const weeksAfter = 3

/**
 * To account for seasons: the same week a year ago, those before it, latest first, and one after it, which tells an outage from a season.
 * That one is left out around the end of the year, when many sites are closed.
 */
export function yearBefore({ end }: Window): Window[] {
  const then = week(addDays(end, -yearDays))
  const after = isYearEnd(then.start) || isYearEnd(then.end) ? [] : [week(addDays(then.end, weeksAfter * windowDays))]
  return [then, ...weeksBefore(then, seasonWeeks), ...after]
}

/** December 20 to January 2. */
const isYearEnd = (date: IsoDate): boolean => date.slice(5) >= '12-20' || date.slice(5) <= '01-02'

const week = (end: IsoDate): Window => ({ start: addDays(end, 1 - windowDays), end })

/** Whether every day of a window is complete. A missing day is not a zero. */
export function isComplete({ start, end }: Window, completeDays: ReadonlySet<IsoDate>): boolean {
  for (let i = 0, days = daysBetween(start, end); i < days; i++) if (!completeDays.has(addDays(start, i))) return false
  return true
}
