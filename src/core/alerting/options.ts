import type { Comparison, ConditionKind, ConditionType, Direction, Monitor, Sensitivity } from '../../contract/alerts/conditions.ts'
import { hasPosition, type SearchType } from '../../contract/common.ts'
import type { Filter } from '../../contract/explore/explore.ts'
import { boundProblem, grainOfExploration, noPositions, typeLabels } from '../analytics/exploration.ts'
import { entityKindOf, newContentDays, type Rule, topCount, targetsNoun } from './rule.ts'
import type { Condition } from './defaults.ts'

type Option<T> = { value: T; label: string }

const changes: readonly Option<Monitor>[] = [
  { value: 'site', label: 'Whole site' },
  { value: 'top_pages', label: `Top ${topCount.top_pages} pages` },
  { value: 'top_queries', label: `Top ${topCount.top_queries} keywords` },
  { value: 'pages', label: 'Specific pages' },
  { value: 'queries', label: 'Specific keywords' },
  { value: 'new_content', label: `New content (under ${newContentDays} days)` },
]

/** What a smart rule can monitor. Positions, and the CTR expected at a position, exist for queries only. */
const unusualCounts: readonly Option<Monitor>[] = [
  { value: 'site', label: 'Whole site' },
  { value: 'all_pages', label: 'All pages' },
  { value: 'all_queries', label: 'All keywords' },
]
const unusualMonitors: Record<ConditionType, readonly Option<Monitor>[]> = {
  clicks: unusualCounts,
  impressions: unusualCounts,
  ctr: [
    { value: 'top_queries', label: `Top ${topCount.top_queries} keywords` },
    { value: 'queries', label: 'Specific keywords' },
  ],
  position: [
    { value: 'all_queries', label: 'All keywords' },
    { value: 'queries', label: 'Specific keywords' },
  ],
}

/** What other rules can monitor, by kind. */
const monitors: Record<Exclude<ConditionKind, 'unusual'>, readonly Option<Monitor>[]> = {
  change: changes,
  new_query: [{ value: 'site', label: 'All keywords' }],
  lost_query: [
    { value: 'top_queries', label: `Top ${topCount.top_queries} keywords` },
    { value: 'queries', label: 'Specific keywords' },
    { value: 'site', label: 'All keywords' },
  ],
  new_page: [{ value: 'site', label: 'All pages' }],
}

export const directionOptions: readonly Option<Direction>[] = [
  { value: 'falls', label: 'Drops' },
  { value: 'rises', label: 'Increases' },
  { value: 'both', label: 'Drops and increases' },
]

/** Sensitivity of a smart rule: how often it alerts while nothing happens. For many pages or queries that depends on their number. */
const ofOne: readonly Option<Sensitivity>[] = [
  { value: 'low', label: 'About 1 false alarm every 2 years' },
  { value: 'normal', label: 'About 1 false alarm a year' },
  { value: 'high', label: 'About 2 false alarms a year' },
]
const ofMany: readonly Option<Sensitivity>[] = [
  { value: 'low', label: 'Low: half as many false alarms' },
  { value: 'normal', label: 'Normal: few false alarms' },
  { value: 'high', label: 'High: twice as many false alarms' },
]
export const sensitivityOptions = (monitor: Monitor): readonly Option<Sensitivity>[] => (monitor === 'site' ? ofOne : ofMany)

/** SPEC §9. */
export const comparisonOptions: readonly Option<Comparison>[] = [
  { value: 'previous_7_days', label: 'Previous 7 days' },
  { value: 'previous_30_days', label: 'Previous 30 days' },
  { value: 'same_period_last_year', label: 'Same period last year' },
]

export const monitorOptions = ({ kind, type }: Pick<Condition, 'kind' | 'type'>): readonly Option<Monitor>[] =>
  kind === 'unusual' ? unusualMonitors[type] : monitors[kind]

/** Material icon names, as for severities (SPEC §4). */
const icons: Record<ConditionType, string> = { clicks: 'ads_click', ctr: 'percent', impressions: 'visibility', position: 'leaderboard' }
export const iconOf = (type: ConditionType): string => icons[type]

/** Why a rule can't be limited to any segment; null if it can. */
export function noSegment({ kind, monitor }: Pick<Condition, 'kind' | 'monitor'>): string | null {
  if (monitor === 'pages' || monitor === 'queries') return `A rule for specific ${targetsNoun(monitor)} can't be limited to a segment.`
  if (kind !== 'unusual' || monitor !== 'site') return null
  return "This rule learns what's usual from the whole site, so it can't be limited to a segment. Monitor all pages or keywords instead."
}

/** Why a rule can't be about this search type; null if it can. */
export function searchTypeProblem(
  { kind, type, monitor }: Pick<Condition, 'kind' | 'type' | 'monitor'>,
  searchType: SearchType,
): string | null {
  if (hasPosition(searchType)) return null
  if (type === 'position') return `${noPositions(searchType)}. Choose a rule about clicks, impressions or CTR, or another search type.`
  if (groupedBy({ kind, monitor }) !== 'query') return null
  const instead =
    kind === 'unusual'
      ? type === 'ctr'
        ? 'Choose unusual clicks or impressions'
        : 'Monitor all pages or the whole site'
      : 'Monitor pages or the whole site'
  return `${typeLabels[searchType]} has no data for keywords. ${instead}, or choose another search type.`
}

/** Why a rule can't be limited to this segment; null if it can. */
export function segmentProblem(of: Pick<Condition, 'kind' | 'monitor' | 'searchType'>, where: readonly Filter[]): string | null {
  const without = noSegment(of)
  if (without !== null) return without
  // A page that loses its clicks would leave the segment instead of raising an alert.
  const bound = boundProblem('Rules', where)
  if (bound !== null) return bound
  const { searchType: type } = of
  const found = grainOfExploration({ by: groupedBy(of), type, where })
  if (!('problem' in found)) return null
  // A device filter is fine for web search; it is the other search type that has no devices.
  return type !== 'web' && 'grain' in grainOfExploration({ by: groupedBy(of), type: 'web', where })
    ? `${found.problem}. Choose another segment or search type.`
    : found.problem
}

/** What its figures are grouped by, in the explorer's terms: a segment of the whole site is summed up by day. */
export function groupedBy(of: Pick<Condition, 'kind' | 'monitor'>): 'page' | 'query' | 'date' {
  const kind = entityKindOf({ ...of, segment: null })
  return kind === 'page' || kind === 'query' ? kind : 'date'
}

/** What is wrong with a rule, and in which field; null if it is valid. */
export function conditionProblem(condition: Condition): { message: string; field: keyof Condition } | null {
  const { type, kind, monitor, threshold, thresholdUnit, comparison, minimumImpressions, sensitivity } = condition
  if (kind !== 'change' && kind !== 'unusual' && type !== 'position')
    return { message: 'Rules for new or lost rankings must use position', field: 'type' }
  if (thresholdUnit !== (type === 'position' ? 'positions' : '%'))
    return {
      message: type === 'position' ? 'Position thresholds must be in positions' : 'This threshold must be a percentage',
      field: 'thresholdUnit',
    }
  if (thresholdUnit === '%' && threshold > 100) return { message: "A percentage can't be over 100", field: 'threshold' }
  if (!monitorOptions(condition).some((option) => option.value === monitor))
    return { message: "This kind of rule can't monitor what you chose", field: 'monitor' }
  const notOfType = searchTypeProblem(condition, condition.searchType)
  if (notOfType !== null) return { message: notOfType, field: 'searchType' }
  const withoutSegment = condition.segment === null ? null : noSegment(condition)
  if (withoutSegment !== null) return { message: withoutSegment, field: 'segment' }
  if (sensitivity !== null && kind !== 'unusual')
    return { message: 'Only rules for unusual changes have a sensitivity setting', field: 'sensitivity' }
  if (comparison !== null && (type !== 'clicks' || kind === 'unusual'))
    return { message: 'Only clicks rules with a threshold have a comparison setting', field: 'comparison' }
  if (minimumImpressions !== null && (type === 'clicks' || kind === 'unusual'))
    return { message: "This rule doesn't use minimum impressions", field: 'minimumImpressions' }
  return null
}

/** The rule as evaluation uses it. */
export const ruleOf = (id: string, condition: Condition): Rule => ({
  id,
  kind: condition.kind,
  metric: condition.type,
  direction: condition.direction,
  onlyUnusual: condition.onlyUnusual,
  monitor: condition.monitor,
  targets: condition.targets,
  searchType: condition.searchType,
  segment: condition.segment,
  threshold: condition.threshold,
  comparison: condition.comparison ?? 'previous_7_days',
  minimumImpressions: condition.minimumImpressions ?? 0,
  sensitivity: condition.sensitivity ?? 'normal',
})
