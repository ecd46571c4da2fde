import { dayNumber, daysBetween } from '../../analytics/days.ts'
import { type Direction, expectationBefore, outagesBefore } from '../../detection/expectation.ts'
import { type Prepared, weekdayOf } from '../../detection/series.ts'
import { smallBaseBefore } from '../../detection/small-counts.ts'
import { isSmallAt } from '../../detection/smart.ts'
import type { Finding } from '../evaluate.ts'
import type { Window } from '../rule.ts'

// What was expected of a site before one of its alerts: later days are compared with that, not with those of the alert.

/** With fewer ordinary days among the compared ones, holidays count too. */
const fewestOrdinary = 3

/** The count that was expected of the day with an index. */
export type Usual = (i: number) => number

/** What an alert was opened with. */
type Opening = Pick<Finding, 'windows' | 'seasonal'>

/**
 * As known before an alert's first window, and on the evening that looked at it, with the season that it expected; null if nothing is
 * known of the time before.
 */
export function usualBefore(series: Prepared, direction: Direction, { windows, seasonal = 1 }: Opening): Usual | null {
  const { current } = windows
  const [start, end] = [dayNumber(current.start) - series.first, dayNumber(current.end) - series.first]
  if (start < 0 || end >= series.counts.length) return null
  if (isSmallAt(series, end)) {
    const base = smallBaseBefore(series, direction, start)
    return base && ((i) => base.level * (base.factors[weekdayOf(series, i)] as number))
  }
  // Outages that were over by that evening are ignored for falls.
  const expectation = expectationBefore(series, start, direction === 'fall' ? outagesBefore(series, end + 1) : [])
  return expectation && ((i) => seasonal * expectation.level[direction] * (expectation.shares[weekdayOf(series, i)] as number))
}

export const shareOf = ({ counts }: Prepared, usual: Usual, days: readonly number[]): number =>
  sumOf(days, (i) => counts[i] as number) / sumOf(days, usual)

/** Of these known days, those that aren't holidays, unless there are too few. */
export function ordinaryOf(series: Prepared, known: readonly number[]): readonly number[] {
  const ordinary = known.filter((i) => series.ordinary[i] === 1)
  return ordinary.length < fewestOrdinary ? known : ordinary
}

export const hasHoliday = ({ ordinary }: Prepared, known: readonly number[]): boolean => known.some((i) => ordinary[i] !== 1)

export function knownIn(series: Prepared, { start, end }: Window): readonly number[] {
  const first = dayNumber(start) - series.first
  return daysOf(first, first + daysBetween(start, end)).filter((i) => series.known[i] === 1)
}

/** The days of a window that are compared. */
export const comparedIn = (series: Prepared, window: Window): readonly number[] => ordinaryOf(series, knownIn(series, window))

export const halfwayFrom = (share: number): number => (1 + share) / 2

/** Indexes from `from` to before `to`. */
export const daysOf = (from: number, to: number): number[] => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i)

const sumOf = (days: readonly number[], of: (i: number) => number): number => days.reduce((sum, i) => sum + of(i), 0)
