import type { IsoDate } from '../../contract/common.ts'
import { daysBetween } from '../analytics/days.ts'
import { changeOf, figureOf, gainOf, type Sums } from './figures.ts'
import { type AlertMetric, type Entity, newContentDays, type Rule } from './rule.ts'
import { type Severity, severityOf } from './severity.ts'
import { standsOut, usualLevel } from './usual-change.ts'
import type { Windows } from './windows.ts'

/** Everything a rule may look at of one entity. The windows they are about are known to be complete. */
export type EntityFigures = {
  entity: Entity
  current: Sums
  base: Sums
  /** The weeks before the current one, the latest first; fewer where history is short. */
  weeks: readonly Sums[]
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
}

/** Judges one entity by one rule. Null: the rule has nothing to say. */
export function judge(rule: Rule, figures: EntityFigures, windows: Windows): Finding | null {
  switch (rule.kind) {
    case 'change':
      return judgeChange(rule, figures, windows)
    case 'new_query':
    case 'new_page':
      return judgeNew(rule, figures, windows)
    case 'lost_query':
      return judgeLost(rule, figures, windows)
  }
}

function judgeChange(rule: Rule, { entity, current, base, weeks, firstSeen }: EntityFigures, windows: Windows): Finding | null {
  const { metric, threshold, minimumImpressions, monitor } = rule
  const enough = current.impressions >= minimumImpressions && base.impressions * windows.scale >= minimumImpressions
  if (!enough || (monitor === 'new_content' && !isNew(firstSeen, windows))) return null
  const now = figureOf(metric, current)
  const before = figureOf(metric, base, windows.scale)
  if (now === null || before === null) return null
  const change = changeOf(metric, before, now)
  if (change === null) return null
  const isAgainstLately = rule.comparison !== 'same_period_last_year'
  if (gainAsked(rule, change) < threshold || !standsOut(metric, before, now, weeks, isAgainstLately)) return null
  if (isAgainstLately && isBackToUsual(rule, now, weeks)) return null
  const severity = severityOf(metric, change, threshold)
  return { ruleId: rule.id, entity, metric, severity, current: now, previous: before, change, windows }
}

/** How far a change goes in the direction the rule asks about. */
const gainAsked = ({ metric, direction }: Rule, change: number): number =>
  direction === 'worse' ? -gainOf(metric, change) : gainOf(metric, change)

/** Whether a week is one like most others before it, or close to that: the week after a spike is no drop, that after an outage no spike. */
function isBackToUsual(rule: Rule, now: number, weeks: readonly Sums[]): boolean {
  const usual = usualLevel(rule.metric, weeks)
  if (usual === null) return false
  const change = changeOf(rule.metric, usual, now)
  return change === null ? rule.direction === 'worse' : gainAsked(rule, change) < rule.threshold / 2
}

/** First seen within the current window, and among the first places there. */
function judgeNew(rule: Rule, { entity, current, firstSeen }: EntityFigures, windows: Windows): Finding | null {
  const position = figureOf('position', current)
  if (firstSeen === null || firstSeen < windows.current.start || firstSeen > windows.current.end) return null
  if (position === null || position > rule.threshold || current.impressions < rule.minimumImpressions) return null
  return { ruleId: rule.id, entity, metric: 'position', severity: 'positive', current: position, previous: null, change: null, windows }
}

/** Among the first places before, and now further down or not shown at all. */
function judgeLost(rule: Rule, { entity, current, base, weeks }: EntityFigures, windows: Windows): Finding | null {
  const before = figureOf('position', base)
  if (before === null || before > rule.threshold || base.impressions * windows.scale < rule.minimumImpressions) return null
  const now = figureOf('position', current)
  if (now !== null && (now <= rule.threshold || !standsOut('position', before, now, weeks))) return null
  const change = now === null ? null : changeOf('position', before, now)
  const severity: Severity = now === null ? 'critical' : 'warning'
  return { ruleId: rule.id, entity, metric: 'position', severity, current: now, previous: before, change, windows }
}

const isNew = (firstSeen: IsoDate | null, { current }: Windows): boolean =>
  firstSeen !== null && daysBetween(firstSeen, current.end) <= newContentDays
