import type { IsoDate } from '../../../contract/common.ts'
import { type ClockHour, sameHours, sumCounts, usualWeeks } from '../../analytics/same-hours.ts'
import { changeOf } from '../figures.ts'
import type { Rule } from '../rule.ts'
import { type Severity, severityOf } from '../severity.ts'

/** A Pacific day as far as it is known: its hours from midnight on without a gap, those of nothing among them. */
export type HoursOfDay = { date: IsoDate; hours: readonly ClockHour[] }

/** The sums that are counted by the hour. */
export type HourlyMetric = 'clicks' | 'impressions'

/** A day so far, or a whole one, beside what is usual by then. */
type Compared = {
  current: number
  usual: number
  /** Per cent; null where nothing is usual. */
  change: number | null
  /** Weeks that tell what is usual. */
  weeks: number
}

/** `severity` is null where the rule has nothing to say. */
export type HourlyVerdict = Compared & { severity: Severity | null }

/** Too short a part of a day is moved by whoever is up early. */
const fewestHours = 4
/** What has to be usual by then for its absence to mean something; twenty fewer clicks are nobody's alarm. */
const fewest: Record<HourlyMetric, number> = { clicks: 60, impressions: 300 }
/**
 * How much a day differs from the same weekday of another week beyond what chance makes of a count: the standard
 * deviation as a share of the mean, before anything is known of the site. It counts as much as so many weeks do.
 */
const presumed = { share: 0.2, weeks: 2 }
/** No site is steadier than this from week to week, whatever four weeks of it say. */
const steadiest = 0.1
/** Standard deviations of a usual difference that a day has to exceed. A site is looked at 24 times a day by several rules. */
const deviations = 4.5

/** Whether hours can answer a rule: it is about a count of the whole site, against lately. */
export const isHourly = ({ kind, metric, monitor, comparison }: Rule): boolean =>
  kind === 'change' && monitor === 'site' && (metric === 'clicks' || metric === 'impressions') && comparison !== 'same_period_last_year'

/**
 * Judges the hours of a day that are complete against the same hours of the same weekday in the weeks before.
 *
 * Counts of a site are not Poisson: beside chance, each day has a strength of its own (weather, news, holidays). They are
 * taken for negative binomial, with the variance m + (φm)² at the mean m, and compared where that variance is 1: by
 * g(x) = 2/φ · asinh(φ · √(x + 3/8)), which is Anscombe's transformation for such counts (F. J. Anscombe, "The
 * transformation of Poisson, binomial and negative-binomial data", Biometrika 35, 1948) and becomes his 2√(x + 3/8) of
 * Poisson counts where φ vanishes. With k weeks before, of which the usual m is the mean,
 *
 *     z = (g(x) − g(m)) / √(1 + 1/k)
 *
 * has to exceed `deviations`. φ² is what counts vary beyond chance, (s² − m)/m², weighed with a presumed value as if that
 * were some weeks more, as few weeks say little about it: first of the final days, which reach further back, with theirs as
 * the presumed one then of the same hours; never below that of the days. So an odd week among those before makes the
 * verdict more careful. A day also has to lie beyond all of the weeks before: what went as far lately is no alarm.
 *
 * @param before the same weekday of the weeks before, the latest first; a week that lacks an hour is left out
 * @param finals sums of final days of this weekday, which may reach further back
 * @returns null where there is nothing to judge by: no week before, or no hour of this day
 */
export function judgeHours(rule: Rule, today: HoursOfDay, before: readonly HoursOfDay[], finals: readonly number[]): HourlyVerdict | null {
  if (!isHourlyMetric(rule.metric) || today.hours.length === 0) return null
  const { current, weeks } = soFar(rule.metric, today, before)
  const compared = compare(current, weeks)
  if (compared === null) return null
  const isLongEnough = today.hours.length >= fewestHours
  return { ...compared, severity: isLongEnough ? severityBy(rule, compared, weeks, finals) : null }
}

/**
 * Judges a whole final day by itself, as its hours were: what they seemed to show is confirmed where this has a severity.
 * @param finals the same weekday of the weeks before, the latest first
 */
export function judgeFinalDay(rule: Rule, current: number, finals: readonly number[]): HourlyVerdict | null {
  const weeks = finals.slice(0, usualWeeks)
  const compared = compare(current, weeks)
  return compared && { ...compared, severity: severityBy(rule, compared, weeks, finals) }
}

/** A day so far, and what each of the weeks before had by then. */
function soFar(metric: HourlyMetric, today: HoursOfDay, before: readonly HoursOfDay[]): { current: number; weeks: number[] } {
  const asked = today.hours.map(({ hour }) => hour)
  const current = today.hours.reduce((sum, hour) => sum + hour[metric], 0)
  return { current, weeks: before.slice(0, usualWeeks).flatMap((day) => countOf(metric, day, asked) ?? []) }
}

export const isHourlyMetric = (metric: Rule['metric']): metric is HourlyMetric => metric === 'clicks' || metric === 'impressions'

/** What a day had in these hours of the clock; null where one of them is not known. */
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

/** φ²: how much counts that should be alike vary beyond chance, as a share of their mean's square, weighed with what is presumed. */
function overdispersion(counts: readonly number[], expected: number): number {
  const mean = meanOf(counts)
  const degrees = counts.length - 1
  if (degrees < 1 || mean === 0) return expected
  const squares = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0)
  const found = Math.max(0, (squares / degrees - mean) / mean ** 2)
  return (presumed.weeks * expected + degrees * found) / (presumed.weeks + degrees)
}

const meanOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0) / counts.length
