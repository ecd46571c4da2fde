import type { IsoDate } from '../../contract/common.ts'
import { isComparable } from '../analytics/anomalies.ts'
import { daysBetween } from '../analytics/days.ts'
import { changeOf, figureOf, gainOf, type Sums } from './figures.ts'
import { isMoreThanChance } from '../detection/chance.ts'
import { interrupts } from './unusual/interrupting.ts'
import { type AlertMetric, type Direction, type Entity, newContentDays, type Rule } from './rule.ts'
import { type Severity, severityOf } from './severity.ts'
import { type Past, usualOf } from './unusual/unusual.ts'
import { weeksBefore, type Windows, yearBefore } from './windows.ts'

/** Everything a rule may look at of one entity. The windows they are about are known to be complete. */
export type EntityFigures = {
  entity: Entity
  current: Sums
  base: Sums
  past: Past
  /** The first day on which it was shown, as far back as is stored; null when it never was. */
  firstSeen: IsoDate | null
}

/** What a rule found: a fact about two windows, the same whenever it is asked. */
export type Finding = {
  ruleId: string
  entity: Entity
  metric: AlertMetric
  severity: Severity
  /** The figures compared; null for what was not there. */
  current: number | null
  previous: number | null
  /** Per cent, or places for positions; null where there was nothing before or is nothing now. */
  change: number | null
  windows: Windows
  /** Of what is unusual: a change like it comes about once in so many months here; `previous` is then what was expected. */
  months?: number
  /** Of a critical fall beyond a threshold: whether it is one to wake somebody for (interrupting.ts). */
  interrupts?: boolean
}

/** Judges one entity by one rule. Null: the rule has nothing to say. */
export function judge(rule: Rule, figures: EntityFigures, windows: Windows): Finding | null {
  switch (rule.kind) {
    case 'change':
      return judgeChange(rule, figures, windows)
    case 'new_query':
    case 'new_page':
      return judgeNew(rule, figures, windows)
    case 'unusual':
      throw new Error('what is unusual is judged by days (unusual-site.ts)')
    case 'lost_query':
      return judgeLost(rule, figures, windows)
  }
}

function judgeChange(rule: Rule, figures: EntityFigures, windows: Windows): Finding | null {
  const { metric, threshold, monitor } = rule
  const { entity, current, base, firstSeen } = figures
  if (!isComparable(metric, windows.current, windows.base)) return null
  if (monitor === 'new_content' && !isNew(firstSeen, windows)) return null
  const now = figureOf(metric, current)
  const before = figureOf(metric, base, windows.scale)
  if (now === null || before === null) return null
  const change = changeOf(metric, before, now)
  if (change === null || change === 0) return null
  const gain = gainOf(metric, change)
  if (!isAsked(rule.direction, gain) || Math.abs(gain) < threshold) return null
  // A page that is hardly shown any more was shown before, and one that is shown all at once was not.
  const shown = gain < 0 ? base.impressions * windows.scale : current.impressions
  if (shown < rule.minimumImpressions || !isMoreThanCounts(metric, figures, windows)) return null
  if (rule.onlyUnusual && !isUnusual(rule, comparable(metric, figures, windows), now, before)) return null
  const severity = severityOf(metric, change, threshold)
  const finding = { ruleId: rule.id, entity, metric, severity, current: now, previous: before, change, windows }
  if (severity !== 'critical') return finding
  const scaled = { ...base, clicks: base.clicks * windows.scale, impressions: base.impressions * windows.scale }
  return { ...finding, interrupts: interrupts(metric, { current, before: scaled, weeks: figures.past.weeks, week: windows.current }) }
}

/** With the weeks of its past that were counted as the current one was (analytics/anomalies.ts). */
export function comparable(metric: AlertMetric, figures: EntityFigures, { current }: Windows): EntityFigures {
  const other = weeksBefore(current).findIndex((week) => !isComparable(metric, week, current))
  const weeks = other < 0 ? figures.past.weeks : figures.past.weeks.slice(0, other)
  const isAlike = yearBefore(current).every((week, _, all) => all[0] !== undefined && isComparable(metric, week, all[0]))
  return { ...figures, past: { weeks, yearAgo: isAlike ? figures.past.yearAgo : [], isCut: weeks.length < figures.past.weeks.length } }
}

const isAsked = (direction: Direction, gain: number): boolean => direction === 'both' || (direction === 'falls') === gain < 0

/**
 * Whether counts of that size do not change as much by themselves. Positions are means over impressions: from how many on those say
 * something is the rule's minimum.
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

/** Whether this entity's own past makes the change less than one of three months (unusual.ts); yes where it is too short to tell. */
function isUnusual({ metric, comparison }: Rule, { past, current }: EntityFigures, now: number, before: number): boolean {
  const usual = usualOf(metric, past, current)
  if (usual === null) return true
  // Against last year a level that has lasted for weeks is the point: it has to differ by more than weeks do.
  if (comparison === 'same_period_last_year') return Math.abs(Math.log((now + 0.5) / (before + 0.5))) > weeksApart * usual.varies
  return now < before ? now < usual.low : now > usual.high
}

/** Deviations of two weeks from each other. */
const weeksApart = 2.6 * Math.SQRT2

/** First seen within the current window, and among the first places there. */
function judgeNew(rule: Rule, { entity, current, firstSeen }: EntityFigures, windows: Windows): Finding | null {
  const position = figureOf('position', current)
  if (firstSeen === null || firstSeen < windows.current.start || firstSeen > windows.current.end) return null
  if (position === null || position > rule.threshold || current.impressions < rule.minimumImpressions) return null
  return { ruleId: rule.id, entity, metric: 'position', severity: 'positive', current: position, previous: null, change: null, windows }
}

/** Among the first places before, and now further down or not shown at all; critical when it is not even close. */
function judgeLost(rule: Rule, figures: EntityFigures, windows: Windows): Finding | null {
  const { entity, current, base } = figures
  if (!isComparable('position', windows.current, windows.base)) return null
  const before = figureOf('position', base)
  if (before === null || before > rule.threshold || base.impressions * windows.scale < rule.minimumImpressions) return null
  const now = figureOf('position', current)
  if (now !== null && now <= rule.threshold) return null
  const usual = now === null || !rule.onlyUnusual ? null : usualOf('position', comparable('position', figures, windows).past, current)
  if (usual && now !== null && now <= usual.high) return null
  const change = now === null ? null : changeOf('position', before, now)
  const severity: Severity = now === null || now > 2 * rule.threshold ? 'critical' : 'warning'
  return { ruleId: rule.id, entity, metric: 'position', severity, current: now, previous: before, change, windows }
}

const isNew = (firstSeen: IsoDate | null, { current }: Windows): boolean =>
  firstSeen !== null && daysBetween(firstSeen, current.end) <= newContentDays
