import type { IsoDate } from '../../../contract/common.ts'
import { isComparable } from '../../analytics/anomalies.ts'
import { type ClockHour, sameHours, sumCounts, usualWeeks } from '../../analytics/same-hours.ts'
import { changeOf } from '../figures.ts'
import type { Rule } from '../rule.ts'
import { type Severity, severityOf } from '../severity.ts'

/** A Pacific day as far as it is known: its hours from midnight on without a gap, including those with no clicks or impressions. */
export type HoursOfDay = { date: IsoDate; hours: readonly ClockHour[] }

/** The sums that are counted by the hour. */
export type HourlyMetric = 'clicks' | 'impressions'

/** A day so far, or a whole one, next to what is usual by that hour. */
type Compared = {
  current: number
  usual: number
  /** In percent; null if the usual value is 0. */
  change: number | null
  /** Number of weeks that define what is usual. */
  weeks: number
}

/** `severity` is null if the rule finds nothing. */
export type HourlyVerdict = Compared & { severity: Severity | null }

/** With fewer hours, a few early risers would decide the result. */
const fewestHours = 4
/** Smallest usual count by that hour for a change to mean something: nobody needs an alert about twenty fewer clicks. */
const fewest: Record<HourlyMetric, number> = { clicks: 60, impressions: 300 }
/**
 * Prior for how much a day differs from the same weekday of another week, beyond counting chance: the standard deviation as a share of the
 * mean, and its weight in weeks.
 */
const presumed = { share: 0.2, weeks: 2 }
/** No site is steadier than this from week to week, even if its last four weeks suggest it. */
const steadiest = 0.1
/** A day must deviate by more standard deviations than this: several rules evaluate a site 24 times a day. */
const deviations = 4.5

/** Whether a rule can be evaluated by the hour: it compares a site-wide count with recent weeks. */
export const isHourly = ({ kind, metric, monitor, searchType, segment, comparison }: Rule): boolean =>
  kind === 'change' &&
  monitor === 'site' &&
  searchType === 'web' &&
  segment === null &&
  (metric === 'clicks' || metric === 'impressions') &&
  comparison !== 'same_period_last_year'

/**
 * Evaluates the complete hours of a day against the same hours of the same weekday in the preceding weeks.
 *
 * A site's counts are not Poisson: besides chance, each day has its own strength (weather, news, holidays). They are modeled as negative
 * binomial, with variance m + (φm)² at the mean m, and compared on a scale where that variance is 1:
 * g(x) = 2/φ · asinh(φ · √(x + 3/8)), Anscombe's transformation for such counts (F. J. Anscombe, "The transformation of Poisson, binomial
 * and negative-binomial data", Biometrika 35, 1948); as φ approaches 0, it becomes his 2√(x + 3/8) for Poisson counts. With the usual
 * value m as the mean of k preceding weeks,
 *
 *     z = (g(x) − g(m)) / √(1 + 1/k)
 *
 * must exceed `deviations`. φ² is how much counts vary beyond chance, (s² − m)/m². A few weeks say little about it, so it is combined with
 * a prior that weighs as much as some additional weeks: first for the final days, which reach further back, then for the same hours, with
 * the final days' value as prior and minimum. So an odd week among the preceding ones makes the verdict more careful. A day must also lie
 * beyond all of the preceding weeks: a change no larger than a recent one raises no alarm.
 *
 * @param before the same weekday of the weeks before, the latest first; a week that lacks an hour, or that Google counted differently, is
 * left out
 * @param finals sums of final days of this weekday, which may reach further back
 * @returns null where there is nothing to judge by: no week before, or no hour of this day
 */
export function judgeHours(rule: Rule, today: HoursOfDay, before: readonly HoursOfDay[], finals: readonly number[]): HourlyVerdict | null {
  if (!isHourlyMetric(rule.metric) || today.hours.length === 0) return null
  const { current, weeks } = soFar(
    rule.metric,
    today,
    before.filter(({ date }) => isAlike(rule.metric, today.date, date)),
  )
  const compared = compare(current, weeks)
  if (compared === null) return null
  const isLongEnough = today.hours.length >= fewestHours
  return { ...compared, severity: isLongEnough ? severityBy(rule, compared, weeks, finals) : null }
}

/**
 * Evaluates a whole final day by itself, the way its hours were evaluated: a severity confirms what the hours seemed to show.
 * @param finals the same weekday of the weeks before, the latest first
 */
export function judgeFinalDay(rule: Rule, current: number, finals: readonly number[]): HourlyVerdict | null {
  const weeks = finals.slice(0, usualWeeks)
  const compared = compare(current, weeks)
  return compared && { ...compared, severity: severityBy(rule, compared, weeks, finals) }
}

/** Whether Google counted both days the same way. */
export const isAlike = (metric: Rule['metric'], a: IsoDate, b: IsoDate): boolean =>
  isComparable(metric, { start: a, end: a }, { start: b, end: b })

/** A day's count so far, and that of each preceding week by the same hour. */
function soFar(metric: HourlyMetric, today: HoursOfDay, before: readonly HoursOfDay[]): { current: number; weeks: number[] } {
  const asked = today.hours.map(({ hour }) => hour)
  const current = today.hours.reduce((sum, hour) => sum + hour[metric], 0)
  return { current, weeks: before.slice(0, usualWeeks).flatMap((day) => countOf(metric, day, asked) ?? []) }
}

export const isHourlyMetric = (metric: Rule['metric']): metric is HourlyMetric => metric === 'clicks' || metric === 'impressions'

/** A day's count in these clock hours; null if one of them is unknown. */
function countOf(metric: HourlyMetric, day: HoursOfDay, asked: readonly number[]): number | null {
  const same = sameHours(asked, day)
  return same && sumCounts(same)[metric]
}

function compare(current: number, weeks: readonly number[]): Compared | null {
  if (weeks.length === 0) return null
  const usual = meanOf(weeks)
  return { current, usual, change: changeOf('clicks', usual, current), weeks: weeks.length }
}

function severityBy(
  rule: Rule,
  { current, usual, change }: Compared,
  weeks: readonly number[],
  finals: readonly number[],
): Severity | null {
  const { metric, direction, threshold, minimumImpressions } = rule
  if (!isHourlyMetric(metric) || change === null) return null
  if (usual < Math.max(fewest[metric], metric === 'impressions' ? minimumImpressions : 0)) return null
  const falls = change < 0
  if (direction === (falls ? 'rises' : 'falls') || Math.abs(change) < threshold) return null
  if (weeks.some((week) => (falls ? week <= current : week >= current))) return null
  const ofDays = Math.max(overdispersion(finals, presumed.share ** 2), steadiest ** 2)
  const spread = Math.sqrt(Math.max(overdispersion(weeks, ofDays), ofDays))
  const level = (count: number): number => (2 / spread) * Math.asinh(spread * Math.sqrt(count + 3 / 8))
  const z = Math.abs(level(current) - level(usual)) / Math.sqrt(1 + 1 / weeks.length)
  return z > deviations ? severityOf(metric, change, threshold) : null
}

/** φ²: how much counts that should be alike vary beyond chance, relative to their squared mean, combined with the prior. */
function overdispersion(counts: readonly number[], expected: number): number {
  const mean = meanOf(counts)
  const degrees = counts.length - 1
  if (degrees < 1 || mean === 0) return expected
  const squares = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0)
  const found = Math.max(0, (squares / degrees - mean) / mean ** 2)
  return (presumed.weeks * expected + degrees * found) / (presumed.weeks + degrees)
}

const meanOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0) / counts.length
