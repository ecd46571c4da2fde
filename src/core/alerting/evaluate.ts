import type { IsoDate } from '../../contract/common.ts'
import { isComparable } from '../analytics/anomalies.ts'
import { daysBetween } from '../analytics/days.ts'
import { changeOf, figureOf, gainOf, type Sums } from './figures.ts'
import { isMoreThanChance } from '../detection/chance.ts'
import { type ExpectedValue, expectedValueOf } from './unusual/expected-value.ts'
import { interrupts } from './unusual/interrupting.ts'
import { type AlertMetric, type Direction, type Entity, lookedAt, newContentDays, type Rule } from './rule.ts'
import { type Severity, severityOf } from './severity.ts'
import { type Past, usualOf } from './unusual/unusual.ts'
import { seasonWeeks, weeksBefore, type Windows, yearBefore } from './windows.ts'

/** Everything a rule may look at for one entity. Both windows are known to be complete. */
export type EntityFigures = {
  entity: Entity
  current: Sums
  base: Sums
  past: Past
  /** The first stored day with impressions; null if there is none. */
  firstSeen: IsoDate | null
}

/** What a rule found. It depends on two windows only, so evaluating again gives the same. */
export type Finding = {
  ruleId: string
  entity: Entity
  metric: AlertMetric
  severity: Severity
  /** The compared values; null where there were no impressions. */
  current: number | null
  previous: number | null
  /** In percent, or places for positions; null if either value is null, or for a rise from zero. */
  change: number | null
  windows: Windows
  /** Smart rules only: how many months usually pass between changes this large; `previous` is then the expected value. */
  months?: number
  /** Smart rules about a whole site: of how many days of the window the values are, if not of all. */
  days?: number
  /** Smart rules about a whole site: the factor by which last year's season changes what is usual otherwise; absent without a season. */
  seasonal?: number
  /** Threshold rules only: what was expected; absent if the past is too short to tell. */
  expected?: ExpectedValue
  /** For a critical fall beyond a threshold: whether it is worth waking somebody (unusual/interrupting.ts). */
  interrupts?: boolean
  /** Of an open alert about a whole site: its largest change so far. */
  largest?: number
}

/** Evaluates one rule for one entity; null if the rule finds nothing. */
export function evaluate(rule: Rule, figures: EntityFigures, windows: Windows): Finding | null {
  switch (rule.kind) {
    case 'change':
      return evaluateChange(rule, figures, windows)
    case 'new_query':
    case 'new_page':
      return evaluateNew(rule, figures, windows)
    case 'unusual':
      throw new Error('rules for unusual changes are evaluated in unusual/, not here')
    case 'lost_query':
      return evaluateLost(rule, figures, windows)
  }
}

function evaluateChange(rule: Rule, figures: EntityFigures, windows: Windows): Finding | null {
  const { metric, threshold, monitor } = rule
  const { entity, current, base, firstSeen } = figures
  if (!isComparable(metric, windows.current, windows.base, rule.searchType)) return null
  if (monitor === 'new_content' && !isNew(firstSeen, windows)) return null
  const now = figureOf(metric, current)
  const before = figureOf(metric, base, windows.scale)
  if (now === null || before === null) return null
  const change = changeOf(metric, before, now)
  // From zero, a rise of any size passes every percentage: what decides is whether it is more than chance, and the minimum.
  const gain = change === null ? now : gainOf(metric, change)
  if (gain === 0 || !isAsked(rule.direction, gain) || (change !== null && Math.abs(gain) < threshold)) return null
  // The larger side counts: before for a fall, now for a rise. A page that vanished had its impressions before.
  const shown = gain < 0 ? base.impressions * windows.scale : current.impressions
  if (shown < rule.minimumImpressions || !isMoreThanCounts(metric, figures, windows)) return null
  if (rule.onlyUnusual && !isUnusual(rule, comparable(rule, figures, windows), now, before)) return null
  const severity = change === null ? 'positive' : severityOf(metric, change, threshold)
  const expected = expectedIn(rule, figures, windows, now)
  const finding = { ruleId: rule.id, entity, metric, severity, current: now, previous: before, change, windows, ...expected }
  return orInterrupting(finding, figures)
}

/** A critical finding also says whether it is worth waking somebody. */
function orInterrupting(finding: Finding, { current, base, past }: EntityFigures): Finding {
  const { severity, metric, windows } = finding
  if (severity !== 'critical') return finding
  const before = { ...base, clicks: base.clicks * windows.scale, impressions: base.impressions * windows.scale }
  return { ...finding, interrupts: interrupts(metric, { current, before, weeks: past.weeks, week: windows.current }) }
}

/** Keeps only past weeks that Google counted in the same way as the current one (analytics/anomalies.ts). */
export function comparable(
  { metric, searchType }: Pick<Rule, 'metric' | 'searchType'>,
  figures: EntityFigures,
  { current }: Windows,
): EntityFigures {
  const other = weeksBefore(current).findIndex((week) => !isComparable(metric, week, current, searchType))
  const weeks = other < 0 ? figures.past.weeks : figures.past.weeks.slice(0, other)
  const lastYear = yearBefore(current).slice(0, 1 + seasonWeeks)
  const isAlike = lastYear.every((week, _, all) => all[0] !== undefined && isComparable(metric, week, all[0], searchType))
  return { ...figures, past: { weeks, yearAgo: isAlike ? figures.past.yearAgo : [], isCut: weeks.length < figures.past.weeks.length } }
}

const isAsked = (direction: Direction, gain: number): boolean => direction === 'both' || (direction === 'falls') === gain < 0

/**
 * Whether a change is larger than counting noise. Positions are averages over impressions; the rule's minimum says how many of those are
 * enough.
 */
function isMoreThanCounts(metric: AlertMetric, { current, base }: EntityFigures, { scale }: Windows): boolean {
  switch (metric) {
    case 'clicks':
    case 'impressions':
      return isMoreThanChance.ofCounts(base[metric], current[metric], scale)
    case 'ctr':
      return isMoreThanChance.ofShares([base.clicks, base.impressions], [current.clicks, current.impressions])
    case 'position':
      return true
  }
}

/** Whether, going by the entity's own past, the rule sees such a change less than once in three months; true if that past is too short. */
function isUnusual(rule: Rule, { past, current }: EntityFigures, now: number, before: number): boolean {
  const { metric, comparison } = rule
  const usual = usualOf(metric, past, current, lookedAt(rule))
  if (usual === null) return true
  // Compared with last year, a lasting shift is what matters: it must be larger than the usual difference between two weeks.
  if (comparison === 'same_period_last_year') return Math.abs(Math.log((now + 0.5) / (before + 0.5))) > weeksApart * usual.varies
  return now < before ? now < usual.low : now > usual.high
}

/** How far two weeks must differ, in standard deviations of one week. */
const weeksApart = 2.6 * Math.SQRT2

/** First seen in the current window, and within the positions that count. */
function evaluateNew(rule: Rule, { entity, current, firstSeen }: EntityFigures, windows: Windows): Finding | null {
  const position = figureOf('position', current)
  if (firstSeen === null || firstSeen < windows.current.start || firstSeen > windows.current.end) return null
  if (position === null || position > rule.threshold || current.impressions < rule.minimumImpressions) return null
  return { ruleId: rule.id, entity, metric: 'position', severity: 'positive', current: position, previous: null, change: null, windows }
}

/** Within the positions that count before, and now below them or without impressions; critical if it is far below. */
function evaluateLost(rule: Rule, figures: EntityFigures, windows: Windows): Finding | null {
  const { entity, current, base } = figures
  if (!isComparable('position', windows.current, windows.base, rule.searchType)) return null
  const before = figureOf('position', base)
  if (before === null || before > rule.threshold || base.impressions * windows.scale < rule.minimumImpressions) return null
  const now = figureOf('position', current)
  if (now !== null && now <= rule.threshold) return null
  const usual = now === null || !rule.onlyUnusual ? null : usualOf('position', comparable(rule, figures, windows).past, current)
  if (usual && now !== null && now <= usual.high) return null
  const change = now === null ? null : changeOf('position', before, now)
  const severity: Severity = now === null || now > 2 * rule.threshold ? 'critical' : 'warning'
  const expected = expectedIn(rule, figures, windows, now)
  const lost: Finding = {
    ruleId: rule.id,
    entity,
    metric: 'position',
    severity,
    current: now,
    previous: before,
    change,
    windows,
    ...expected,
  }
  return orInterrupting(lost, figures)
}

function expectedIn(rule: Rule, figures: EntityFigures, windows: Windows, now: number | null): Pick<Finding, 'expected'> {
  const expected = expectedValueOf(rule.metric, comparable(rule, figures, windows).past, figures.current, now)
  return expected === null ? {} : { expected }
}

const isNew = (firstSeen: IsoDate | null, { current }: Windows): boolean =>
  firstSeen !== null && daysBetween(firstSeen, current.end) <= newContentDays
