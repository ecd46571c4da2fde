import type { Comparison, ConditionKind, ConditionType, Direction, Monitor } from '../../contract/alert-conditions.ts'
import { newContentDays, type Rule, topCount } from './rule.ts'
import type { Condition } from './defaults.ts'

type Option<T> = { value: T; label: string }

const changes: readonly Option<Monitor>[] = [
  { value: 'site', label: 'Whole site' },
  { value: 'top_pages', label: `Top ${topCount.top_pages} pages` },
  { value: 'top_queries', label: `Top ${topCount.top_queries} queries` },
  { value: 'pages', label: 'Specific pages' },
  { value: 'queries', label: 'Specific queries' },
  { value: 'new_content', label: `New content (under ${newContentDays} days)` },
]

/** What a rule may look at, by what it looks for. */
const monitors: Record<ConditionKind, readonly Option<Monitor>[]> = {
  change: changes,
  new_query: [{ value: 'site', label: 'All queries' }],
  lost_query: [
    { value: 'top_queries', label: `Top ${topCount.top_queries} queries` },
    { value: 'queries', label: 'Specific queries' },
    { value: 'site', label: 'All queries' },
  ],
  new_page: [{ value: 'site', label: 'All pages' }],
}

export const directionOptions: readonly Option<Direction>[] = [
  { value: 'falls', label: 'Drops' },
  { value: 'rises', label: 'Increases' },
  { value: 'both', label: 'Drops and increases' },
]

/** SPEC §9. */
export const comparisonOptions: readonly Option<Comparison>[] = [
  { value: 'previous_7_days', label: 'Previous 7 days' },
  { value: 'previous_30_days', label: 'Previous 30 days' },
  { value: 'same_period_last_year', label: 'Same period last year' },
]

export const monitorOptions = (kind: ConditionKind): readonly Option<Monitor>[] => monitors[kind]

/** Names of Material icons, as for severities (SPEC §4). */
const icons: Record<ConditionType, string> = { clicks: 'ads_click', ctr: 'percent', impressions: 'visibility', position: 'leaderboard' }
export const iconOf = (type: ConditionType): string => icons[type]

/** Why a rule cannot be as it is, and which field is to blame; null when it can. */
export function conditionProblem(condition: Condition): { message: string; field: keyof Condition } | null {
  const { type, kind, monitor, threshold, thresholdUnit, comparison, minimumImpressions } = condition
  if (kind !== 'change' && type !== 'position') return { message: 'New and lost ranking rules track position', field: 'type' }
  if (thresholdUnit !== (type === 'position' ? 'positions' : '%'))
    return {
      message: type === 'position' ? 'Position thresholds must be in positions' : 'This threshold must be a percentage',
      field: 'thresholdUnit',
    }
  if (thresholdUnit === '%' && threshold > 100) return { message: 'A percentage is at most 100', field: 'threshold' }
  if (!monitors[kind].some((option) => option.value === monitor))
    return { message: "This kind of rule can't monitor that", field: 'monitor' }
  if (comparison !== null && type !== 'clicks') return { message: 'Only clicks rules have a comparison', field: 'comparison' }
  if (minimumImpressions !== null && type === 'clicks')
    return { message: "Clicks rules don't use minimum impressions", field: 'minimumImpressions' }
  return null
}

/** A rule as it is judged. */
export const ruleOf = (id: string, condition: Condition): Rule => ({
  id,
  kind: condition.kind,
  metric: condition.type,
  direction: condition.direction,
  onlyUnusual: condition.onlyUnusual,
  monitor: condition.monitor,
  targets: condition.targets,
  threshold: condition.threshold,
  comparison: condition.comparison ?? 'previous_7_days',
  minimumImpressions: condition.minimumImpressions ?? 0,
})
