import { dayNumber } from '../../analytics/days.ts'
import { type Direction, outagesBefore } from '../../detection/expectation.ts'
import { isWithin } from '../../detection/outages.ts'
import { median, spread } from '../../detection/robust.ts'
import { smallestChange } from '../../detection/scan.ts'
import type { Prepared } from '../../detection/series.ts'
import { smallestOfSmall } from '../../detection/small-counts.ts'
import { isSmallAt } from '../../detection/smart.ts'
import type { Finding } from '../evaluate.ts'
import type { Lately } from '../lifecycle.ts'
import { comparedIn, daysOf, halfwayFrom, hasHoliday, ordinaryOf, shareOf, type Usual, usualBefore } from './before-alert.ts'

type Opening = Pick<Finding, 'previous' | 'current' | 'windows' | 'seasonal'>

const week = 7
/** At this share of the expected count, a site is back in any case: within half of the smallest change to report (scan.ts). */
export const normal: Record<Direction, number> = { fall: 0.945, rise: 1.08 }
/** With fewer days since it began, a change is as large as it was found to be. */
const fewestDays = 3
/** How many days before an alert show how far a site's single days vary, and the fewest from which that can be told. */
const deviationDays = 28
const fewestVaried = 7
/** A smaller deviation than this shows nothing either: an ordinary site's single days vary by a tenth, and by chance. */
const leastDeviation = 0.001
const ordinaryDeviation = 0.1
/** About how many days the expectation rests on, going by their weights (expectation.ts). */
const levelDays = 14
/** The mean of some days is clearly on one side of a limit if it is this many of its standard deviations away. */
const clearly = 1.5
/** After this many days, whichever side the mean is on decides. */
const longest = 28

/**
 * How a site is doing now, compared with what was expected before its open alert, both on the same weekdays, since the windows in which
 * a change is found have other lengths on other evenings. Null if nothing is known of the time before. `isClear`: whether it is clear that
 * the site is back or isn't, given how far its days varied before.
 * @param upTo the index after that of the evaluated day
 * @param opening what the alert was opened with
 */
export function latelyOf(series: Prepared, upTo: number, opening: Opening, direction: Direction): (Lately & { isClear: boolean }) | null {
  const usual = usualBefore(series, direction, opening)
  if (!usual || !opening.previous || opening.current === null) return null
  const share = (days: readonly number[]): number => shareOf(series, usual, days)
  // Days of an outage that is over say nothing about how the site is doing now.
  const over = direction === 'fall' ? outagesBefore(series, upTo) : []
  const days = daysOf(Math.max(0, upTo - week), upTo)
  const known = days.filter((i) => series.known[i] === 1 && !isWithin(over, i))
  const compared = ordinaryOf(series, known)
  if (compared.length === 0) return null
  // On most holidays, a site has more or less than usual, whether it is back or not.
  const isHidden = hasHoliday(series, compared) && !hasHoliday(series, comparedIn(series, opening.windows.current))
  const halfway = halfwayFrom(opening.current / opening.previous)
  const lasting = lastingHalfway(series, usual, upTo, opening) ?? halfway
  // Halfway back from a deep drop is still a drop to report.
  const smallest = (isSmallAt(series, upTo - 1) ? smallestOfSmall : smallestChange)[direction]
  const deviation = deviationBefore(series, usual, opening)
  // How far some days are beyond a share, in standard deviations of their mean; below zero if they aren't back to it.
  const beyond = (some: readonly number[], limit: number): number => {
    // Days on which little is expected say little.
    const varies = deviation * Math.sqrt(sumOf(some.map((i) => usual(i) ** 2)) / sumOf(some.map(usual)) ** 2 + 1 / levelDays)
    return (direction === 'fall' ? share(some) - limit : limit - share(some)) / varies
  }
  const [opened, far] =
    direction === 'fall'
      ? [Math.max(halfway, 1 - smallest), Math.min(lasting, normal.fall)]
      : [Math.min(halfway, 1 + smallest), Math.max(lasting, normal.rise)]
  const least = upTo - (dayNumber(opening.windows.current.end) - series.first) > longest ? 0 : clearly
  const latest = compared.slice(-fewestDays)
  const isNow = beyond(latest, opened) >= 0 && beyond(latest, lasting) >= least && latest.every((i) => beyond([i], lasting) >= 0)
  const by = Math.min(beyond(compared, opened), beyond(compared, far))
  const before = sumOf(days.map(usual))
  // Scaled to a whole week, as if all of its days were like the compared ones.
  const value = sumOf(compared.map((i) => series.counts[i] as number)) * (before / sumOf(compared.map(usual)))
  return {
    isBack: !isHidden && (isNow || by >= least),
    isClear: !isHidden && (isNow || least === 0 || Math.abs(by) >= least),
    level: { value, before, days: week },
  }
}

/**
 * Halfway back from the days of the alert before the last week: its first days rarely show the whole change, or show more than there is.
 * Null with too few of them.
 */
export function lastingHalfway(series: Prepared, usual: Usual, upTo: number, { windows }: Opening): number | null {
  const since = daysOf(dayNumber(windows.current.end) - series.first, upTo - week).filter((i) => series.ordinary[i] === 1)
  return since.length < fewestDays ? null : halfwayFrom(shareOf(series, usual, since))
}

/** How far a site's single days varied before an alert, as shares of what was expected. */
export function deviationBefore(series: Prepared, usual: Usual, { windows, seasonal = 1 }: Pick<Opening, 'windows' | 'seasonal'>): number {
  const start = dayNumber(windows.current.start) - series.first
  // On a weekday without visitors, there is nothing to vary.
  const days = daysOf(Math.max(0, start - deviationDays), start).filter((i) => series.ordinary[i] === 1 && usual(i) >= 1)
  const shares = days.map((i) => shareOf(series, usual, [i]))
  // These days belong to the time before the season.
  const own = days.length < fewestVaried ? 0 : seasonal * spread(shares, median(shares))
  return own >= leastDeviation ? own : Math.hypot(ordinaryDeviation, 1 / Math.sqrt(sumOf(daysOf(start, start + week).map(usual)) / week))
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
