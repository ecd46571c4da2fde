import { dayNumber } from '../../analytics/days.ts'
import { type Direction, outagesBefore } from '../../detection/expectation.ts'
import { isWithin } from '../../detection/outages.ts'
import { smallestChange } from '../../detection/scan.ts'
import type { Prepared } from '../../detection/series.ts'
import { smallestOfSmall } from '../../detection/small-counts.ts'
import { isSmallAt } from '../../detection/smart.ts'
import type { Finding } from '../evaluate.ts'
import type { Lately } from '../lifecycle.ts'
import { daysOf, halfwayFrom, ordinaryOf, shareOf, type Usual, usualBefore } from './before-alert.ts'

type Opening = Pick<Finding, 'previous' | 'current' | 'windows'>

const week = 7
/** A share of the expected count that is back anyway: half of the smallest change to report (scan.ts). */
export const normal: Record<Direction, number> = { fall: 0.945, rise: 1.08 }
/** With fewer days since it began, a change is as large as it was found to be. */
const fewestDays = 3

/**
 * How a site is doing now, compared with what was expected before its open alert, both on the same weekdays, since the windows in which
 * a change is found have other lengths on other evenings. Null if nothing is known of the time before.
 * @param upTo the index after that of the evaluated day
 * @param opening what the alert was opened with
 */
export function latelyOf(series: Prepared, upTo: number, opening: Opening, direction: Direction): Lately | null {
  const usual = usualBefore(series, direction, opening.windows.current)
  if (!usual || !opening.previous || opening.current === null) return null
  const share = (days: readonly number[]): number => shareOf(series, usual, days)
  // Days of an outage that is over say nothing about how the site is doing now.
  const over = direction === 'fall' ? outagesBefore(series, upTo) : []
  const days = daysOf(Math.max(0, upTo - week), upTo)
  const known = days.filter((i) => series.known[i] === 1 && !isWithin(over, i))
  const compared = ordinaryOf(series, known)
  if (compared.length === 0) return null
  const isAt = (some: readonly number[], limit: number): boolean => (direction === 'fall' ? share(some) >= limit : share(some) <= limit)
  const halfway = halfwayFrom(opening.current / opening.previous)
  const lasting = lastingHalfway(series, usual, upTo, opening) ?? halfway
  // Half of the way back from a deep drop is still one to report.
  const smallest = (isSmallAt(series, upTo - 1) ? smallestOfSmall : smallestChange)[direction]
  const opened = direction === 'fall' ? Math.max(halfway, 1 - smallest) : Math.min(halfway, 1 + smallest)
  const within = direction === 'fall' ? Math.min(lasting, normal.fall) : Math.max(lasting, normal.rise)
  const latest = compared.slice(-fewestDays)
  const value = (sumOf(known.map((i) => series.counts[i] as number)) * week) / known.length
  return {
    isBack: (isAt(compared, opened) && isAt(compared, within)) || (isAt(latest, opened) && latest.every((i) => isAt([i], lasting))),
    level: { value, before: sumOf(days.map(usual)), days: week },
  }
}

/**
 * Halfway back from the days before the last week, since the first ones rarely show the whole change, or show more than there is. Null if
 * they are too few.
 */
export function lastingHalfway(series: Prepared, usual: Usual, upTo: number, { windows }: Opening): number | null {
  const since = daysOf(dayNumber(windows.current.end) - series.first, upTo - week).filter((i) => series.ordinary[i] === 1)
  return since.length < fewestDays ? null : halfwayFrom(shareOf(series, usual, since))
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
