import { dayNumber } from '../../analytics/days.ts'
import { type Direction, expectationBefore, outagesBefore } from '../../detection/expectation.ts'
import { isWithin } from '../../detection/outages.ts'
import { type DailyCounts, type IsHoliday, prepare, type Prepared, weekdayOf } from '../../detection/series.ts'
import { smallBaseBefore } from '../../detection/small-counts.ts'
import { isSmallAt } from '../../detection/smart.ts'
import type { Finding } from '../evaluate.ts'
import type { Lately } from '../lifecycle.ts'

const week = 7
/** A share of the expected count that is back anyway: half of the smallest change to report (scan.ts). */
const normal: Record<Direction, number> = { fall: 0.945, rise: 1.08 }
/** With fewer ordinary days in the last week, its holidays count too. */
const fewestOrdinary = 3

/**
 * How a site is doing now, compared with what was expected before its open alert: both of the same days of the week, since the windows in
 * which a change is found have other lengths on other evenings. Null if nothing is known of the time before.
 * @param opening what the alert was opened with
 */
export function latelyOf(
  { counts, isHoliday }: { counts: DailyCounts; isHoliday: IsHoliday },
  opening: Pick<Finding, 'previous' | 'current' | 'windows'>,
  direction: Direction,
): Lately | null {
  const series = prepare(counts, isHoliday)
  const { start, end } = opening.windows.current
  const before = expectedBefore(series, direction, dayNumber(start) - series.first, dayNumber(end) - series.first)
  if (!before || !opening.previous || opening.current === null) return null
  const shareOf = (days: readonly number[]): number =>
    sumOf(days.map((i) => series.counts[i] as number)) / sumOf(days.map((i) => before.on(i)))
  // Days of an outage that is over say nothing about how the site is doing now.
  const over = direction === 'fall' ? outagesBefore(series, series.counts.length) : []
  const known = lastDays(series, week).filter((i) => series.known[i] === 1 && !isWithin(over, i))
  const ordinary = known.filter((i) => series.ordinary[i] === 1)
  const compared = ordinary.length < fewestOrdinary ? known : ordinary
  if (compared.length === 0) return null
  const halfwayFrom = (share: number): number => (1 + share) / 2
  const isAt = (days: readonly number[], limit: number): boolean => (direction === 'fall' ? shareOf(days) >= limit : shareOf(days) <= limit)
  const opened = halfwayFrom(opening.current / opening.previous)
  // The first days rarely show the whole change, or show more than there is.
  const since = ordinaryDays(series, dayNumber(end) - series.first, series.counts.length - week)
  const lasting = since.length < fewestOrdinary ? opened : halfwayFrom(shareOf(since))
  const within = direction === 'fall' ? Math.min(lasting, normal.fall) : Math.max(lasting, normal.rise)
  const latest = compared.slice(-fewestOrdinary)
  const value = (sumOf(known.map((i) => series.counts[i] as number)) * week) / known.length
  return {
    isBack: (isAt(compared, opened) && isAt(compared, within)) || (isAt(latest, opened) && latest.every((i) => isAt([i], lasting))),
    level: { value, before: sumOf(lastDays(series, week).map((i) => before.on(i))), days: week },
  }
}

/** The expected count of each day, as known on the day before index `start`. @param end the day on which that was looked at */
function expectedBefore(series: Prepared, direction: Direction, start: number, end: number): { on: (i: number) => number } | null {
  if (start < 0 || end >= series.counts.length) return null
  if (isSmallAt(series, end)) {
    const base = smallBaseBefore(series, direction, start)
    return base && { on: (i) => base.level * (base.factors[weekdayOf(series, i)] as number) }
  }
  // As on that evening: outages that were over by then are ignored for falls.
  const expectation = expectationBefore(series, start, direction === 'fall' ? outagesBefore(series, end + 1) : [])
  return expectation && { on: (i) => expectation.level[direction] * (expectation.shares[weekdayOf(series, i)] as number) }
}

const ordinaryDays = ({ ordinary }: Prepared, from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i).filter((i) => ordinary[i] === 1)

const lastDays = ({ counts }: Prepared, days: number): number[] =>
  Array.from({ length: Math.min(days, counts.length) }, (_, i) => counts.length - Math.min(days, counts.length) + i)

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
