import type { IsoDate } from '../../../contract/common.ts'
import { dayNumber } from '../../analytics/days.ts'
import { type ClockHour, sameHours, sumCounts, usualWeeks } from '../../analytics/same-hours.ts'
import type { Sensitivity } from '../../detection/calibration.ts'
import type { Direction } from '../../detection/expectation.ts'
import { certain } from '../../detection/smart.ts'
import { residualOf } from '../../detection/windows.ts'
import { isMuchLarger } from '../../delivery/routing.ts'
import { changeOf } from '../figures.ts'
import type { Rule } from '../rule.ts'
import { moreSevere, type Severity, severities, severityOf } from '../severity.ts'
import { severityOfUnusual } from '../unusual/verdict.ts'
import type { ExpectedDay } from './expected-day.ts'

/** A Pacific day as far as it is known: its hours from midnight on without a gap, including those with no clicks or impressions. */
export type HoursOfDay = { date: IsoDate; hours: readonly ClockHour[] }

/** The sums that are counted by the hour. */
export type HourlyMetric = 'clicks' | 'impressions'

/** A day so far, or a whole one, next to what is expected by that hour. */
type Compared = {
  current: number
  usual: number
  /** In percent; null if the usual value is 0. */
  change: number | null
  /** Number of weeks from which the share of a day by that hour was learned; for a whole day, those it was compared with. */
  weeks: number
}

/** `severity` is null if the rule finds nothing. */
export type HourlyVerdict = Compared & { severity: Severity | null }

/** With fewer hours, a few early risers would decide the result. */
const fewestHours = 4
/** Smallest usual count by that hour for a change to mean something: nobody needs an alert about twenty fewer clicks. */
const fewest: Record<HourlyMetric, number> = { clicks: 60, impressions: 300 }
/** Prior for how much the share of a day by an hour differs from week to week, while the whole day is still to come; weight in weeks. */
const presumed = { share: 0.15, weeks: 2 }
/** A day must deviate by more standard deviations than this: several rules evaluate a site 24 times a day. */
const deviations = 4.5
/** The same for smart rules, by sensitivity: hours may add hardly any to the false alarms that days are allowed (docs/decisions/0083). */
const deviationsOf: Record<Sensitivity, number> = { low: 6, normal: 5.5, high: 5 }
/** The share of what hours lacked that the day must still lack for the hours to have been right. */
const stillMissing = 1 / 2
/** If less than this is expected by that hour, it may end up with nothing by chance. */
const fewestToBeGone = 30

/** Whether a rule can be evaluated by the hour: it compares a site-wide count with recent weeks, or with what is expected. */
export const isHourly = ({ kind, metric, monitor, searchType, segment, comparison }: Rule): boolean =>
  (kind === 'change' || kind === 'unusual') &&
  monitor === 'site' &&
  searchType === 'web' &&
  segment === null &&
  (metric === 'clicks' || metric === 'impressions') &&
  (kind === 'unusual' || comparison !== 'same_period_last_year')

/**
 * Evaluates the complete hours of a day against what is expected of the day (`expectedDayOf`) times the share of a day that the same
 * weekday of the preceding weeks had by then.
 *
 * A site's counts are not Poisson: besides chance, each day has its own strength (weather, news), and its own hours. They are modeled as
 * negative binomial, with variance m + (φm)² at the mean m, and compared on a scale where that variance is 1:
 * g(x) = 2/φ · asinh(φ · √(x + 3/8)), Anscombe's transformation for such counts (F. J. Anscombe, "The transformation of Poisson, binomial
 * and negative-binomial data", Biometrika 35, 1948); as φ approaches 0, it becomes his 2√(x + 3/8) for Poisson counts.
 *
 *     z = g(x) − g(m)
 *
 * must exceed `deviations`. φ² is how much days vary around their expectation, plus how much the share by that hour varies between weeks:
 * nothing for a whole day. A day must also lie further off than the same weekday of each preceding week did: a change no larger than a
 * recent one raises no alarm. On a holiday, nothing is known about the hours, and the day is left to the daily evaluation.
 *
 * @param before the same weekday of the weeks before, the latest first; a week that lacks an hour and one with a holiday are left out
 * @returns null where there is nothing to compare with: no expectation, no week before, or no hour of this day
 */
export function evaluateHours(
  rule: Rule,
  today: HoursOfDay,
  before: readonly HoursOfDay[],
  expected: ExpectedDay | null,
): HourlyVerdict | null {
  if (!isHourlyMetric(rule.metric) || today.hours.length === 0 || expected === null) return null
  const { metric } = rule
  const usable = before.filter(({ date }) => !expected.isHoliday(dayNumber(date))).slice(0, usualWeeks)
  const soFar = shareSoFar(
    metric,
    today.hours.map(({ hour }) => hour),
    usable,
  )
  if (soFar === null) return null
  const current = today.hours.reduce((sum, hour) => sum + hour[metric], 0)
  const { severity, ...compared } = evaluateCount(rule, today.date, current, expected, soFar)
  return { ...compared, severity: today.hours.length >= fewestHours ? severity : null }
}

/**
 * Evaluates a whole final day by itself, the way its hours were evaluated.
 * @param expected as known before the day, or before the first of several days that are far off
 */
export function evaluateFinalDay(rule: Rule, day: IsoDate, current: number, expected: ExpectedDay | null): HourlyVerdict | null {
  return expected && evaluateCount(rule, day, current, expected, { share: 1, variance: 0, weeks: Math.max(1, expected.weeks.length) })
}

/** What an alert's hours last showed: `recounted` is Google's current count of them, null if that is no longer known. */
export type SeenByHours = { severity: Severity; previous: number; current: number; recounted: number | null }

/**
 * What the final day says about its hours. It confirms them if the day itself is far off, or if most of what the hours lacked is still
 * missing at midnight: an outage that is over by the evening was real. If the hours have been counted up since, or the rest of the day made
 * up for them, the severity is null.
 */
export function settleDay(
  rule: Rule,
  day: IsoDate,
  current: number,
  expected: ExpectedDay | null,
  seen: SeenByHours,
): HourlyVerdict | null {
  const verdict = evaluateFinalDay(rule, day, current, expected)
  if (!verdict || !expected) return null
  const lost = seen.current - seen.previous
  const holds = (gain: number): boolean => lost !== 0 && gain / lost >= stillMissing
  const isSame = Math.sign(verdict.current - verdict.usual) === Math.sign(lost)
  if (verdict.severity !== null) return { ...verdict, severity: isSame ? moreSevere(verdict.severity, seen.severity) : null }
  const isAsked = Math.abs(changeOf('clicks', seen.previous, seen.current) ?? 0) >= rule.threshold && !expected.isHoliday(dayNumber(day))
  const isReal = isAsked && holds(verdict.current - verdict.usual) && holds((seen.recounted ?? seen.current) - seen.previous)
  return { ...verdict, severity: isReal ? seen.severity : null }
}

export const isHourlyMetric = (metric: Rule['metric']): metric is HourlyMetric => metric === 'clicks' || metric === 'impressions'

/** The share of a day's count usually reached by some hour, its relative variance, and the number of weeks it was learned from. */
type SoFar = { share: number; variance: number; weeks: number }

const wholeDay = Array.from({ length: 24 }, (_, hour) => hour)

/** The share of a day that preceding weeks had in these clock hours; null if none of them is known to its end. */
function shareSoFar(metric: HourlyMetric, asked: readonly number[], before: readonly HoursOfDay[]): SoFar | null {
  const weeks = before.flatMap((day) => {
    const [part, whole] = [countOf(metric, day, asked), countOf(metric, day, wholeDay)]
    return part === null || whole === null || whole === 0 ? [] : [{ part, whole }]
  })
  const [part, whole] = [sumOf(weeks.map((week) => week.part)), sumOf(weeks.map((week) => week.whole))]
  if (whole === 0) return null
  const share = part / whole
  const toCome = Math.max(0, 1 - share)
  // Beyond chance, which shares of small counts have anyway.
  const squares = weeks.map((week) => (week.part / week.whole / share - 1) ** 2 - toCome / Math.max(1, week.part))
  const others = weeks.length - 1
  const own = share === 0 || others < 1 ? 0 : Math.max(0, sumOf(squares) / others)
  const between = (presumed.weeks * (presumed.share * toCome) ** 2 + others * own) / (presumed.weeks + others)
  return { share, variance: between * (1 + 1 / weeks.length) + toCome / Math.max(1, part), weeks: weeks.length }
}

/** A day's count in these clock hours; null if one of them is unknown. */
function countOf(metric: HourlyMetric, day: HoursOfDay, asked: readonly number[]): number | null {
  const same = sameHours(asked, day)
  return same && sumCounts(same)[metric]
}

function evaluateCount(rule: Rule, day: IsoDate, current: number, expected: ExpectedDay, { share, variance, weeks }: SoFar): HourlyVerdict {
  const { count, varies } = expected
  const direction = current < count.fall * share ? 'fall' : current > count.rise * share ? 'rise' : null
  const usual = count[direction ?? 'latest'] * share
  const compared = { current, usual, change: changeOf('clicks', usual, current), weeks }
  const far = direction === null ? 0 : deviationOf(current, usual, Math.sqrt(varies ** 2 + variance))
  const isSilent = direction === null || expected.isHoliday(dayNumber(day)) || isLikeAWeekBefore(direction, compared, expected)
  return { ...compared, severity: isSilent ? null : severityBy(rule, direction, compared, far) }
}

/** On the scale where the variance of such counts is 1. */
function deviationOf(current: number, usual: number, spread: number): number {
  const level = (count: number): number => (2 / spread) * Math.asinh(spread * Math.sqrt(count + 3 / 8))
  return Math.abs(level(current) - level(usual))
}

/** Whether the same weekday of a preceding week was as far from its own expectation. */
function isLikeAWeekBefore(direction: Direction, { current, usual }: Compared, { weeks }: ExpectedDay): boolean {
  const now = residualOf(current, usual)
  return weeks.some((then) => (direction === 'fall' ? then <= now : then >= now))
}

function severityBy(rule: Rule, direction: Direction, { current, usual, change }: Compared, far: number): Severity | null {
  const { kind, metric, threshold, minimumImpressions, sensitivity } = rule
  if (!isHourlyMetric(metric) || change === null) return null
  if (usual < Math.max(fewest[metric], metric === 'impressions' ? minimumImpressions : 0)) return null
  if (rule.direction === (direction === 'fall' ? 'rises' : 'falls') || Math.abs(change) < threshold) return null
  const limit = kind === 'unusual' ? deviationsOf[sensitivity] : deviations
  if (far <= limit) return null
  if (kind === 'change') return severityOf(metric, change, threshold)
  const lastDay = usual < fewestToBeGone ? null : current / usual
  return severityOfUnusual({ direction, actual: current, expected: usual, isCertain: far >= limit + certain, lastDay }, metric)
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

/** What has to be known about an open alert about the site to tell whether hours show something much larger. */
export type OpenOfSite = { alertId: number; ruleId: string; metric: Rule['metric']; change: number; isPart: boolean; day: IsoDate | null }

/**
 * What hours show far beyond an alert that is open already: a site may die while one about a mild drop is. For each of these alerts, the
 * largest finding that is critical; a day's own alert just follows its hours.
 */
export function farBeyond<T extends { rule: Rule; severity: Severity; change: number }>(
  found: readonly T[],
  open: readonly OpenOfSite[],
  today: IsoDate,
): { alertId: number; finding: T }[] {
  return open.flatMap(({ alertId, metric, change, isPart, day }) => {
    if (isPart || day === today) return []
    const beyond = found.filter((each) => each.severity === 'critical' && each.rule.metric === metric && isMuchLarger(each.change, change))
    const [largest] = beyond.toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change))
    return largest ? [{ alertId, finding: largest }] : []
  })
}

/**
 * Rules that find the same thing by hours make one alert: of the rule whose alert about it is open, else of a smart rule, else of the one
 * that finds it most severe.
 */
export function oneOfEach<T extends { rule: Rule; severity: Severity; change: number }>(
  found: readonly T[],
  open: readonly { ruleId: string; metric: Rule['metric']; change: number }[],
): T[] {
  const keyOf = (metric: Rule['metric'], change: number): string => `${metric} ${Math.sign(change)}`
  const owners = new Map(open.map(({ ruleId, metric, change }) => [keyOf(metric, change), ruleId]))
  const inOrder = found.toSorted(
    (a, b) =>
      Number(b.rule.kind === 'unusual') - Number(a.rule.kind === 'unusual') ||
      severities.indexOf(a.severity) - severities.indexOf(b.severity),
  )
  return inOrder.filter(({ rule, change }) => {
    const key = keyOf(rule.metric, change)
    const owner = owners.get(key) ?? rule.id
    owners.set(key, owner)
    return owner === rule.id
  })
}
