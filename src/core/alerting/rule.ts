import type { Direction, Sensitivity } from '../../contract/alerts/conditions.ts'
import type { IsoDate, SearchType } from '../../contract/common.ts'

export type { Direction }

/** The four metrics alerts are about. */
export type AlertMetric = 'clicks' | 'impressions' | 'ctr' | 'position'

/**
 * What a rule looks for: a metric that changed between two windows, or differs from what was expected; a query or page seen for the first
 * time within the first `threshold` positions; or a query that dropped out of them.
 */
export type RuleKind = 'change' | 'unusual' | 'new_query' | 'lost_query' | 'new_page'

/** Whose metrics are compared. "Top" means most clicks in the earlier window. */
export type Monitor = 'site' | 'top_pages' | 'top_queries' | 'pages' | 'queries' | 'new_content' | 'all_pages' | 'all_queries'

/** What a list of targets holds, in the words of the screens. */
export const targetsNoun = (monitor: Monitor): string => (monitor === 'queries' ? 'keywords' : monitor)

export type Comparison = 'previous_7_days' | 'previous_30_days' | 'same_period_last_year'

export type Rule = {
  id: string
  kind: RuleKind
  metric: AlertMetric
  /** Which changes count. A position falls when its number grows. */
  direction: Direction
  /** Whether to ignore changes that this site, page or query goes through anyway. */
  onlyUnusual: boolean
  monitor: Monitor
  /** The chosen pages or queries of the monitors `pages` and `queries`. */
  targets: readonly string[]
  /** Whose figures are compared. */
  searchType: SearchType
  /** The id of the segment whose pages or queries it is limited to. */
  segment: string | null
  /** In percent; in places for positions; for new and lost rankings, the last position that counts. */
  threshold: number
  comparison: Comparison
  /** Minimum impressions on the larger side: the earlier window for a fall, the current one for a rise. */
  minimumImpressions: number
  /** Smart rules only: how many false alarms a year are acceptable. */
  sensitivity: Sensitivity
}

/** The direction a new rule's title implies if none is chosen: rises for a "spike", falls otherwise (SPEC §5). */
export const directionOf = (title: string): Direction => (title.toLowerCase().includes('spike') ? 'rises' : 'falls')

/** How many pages or queries "top" means. */
export const topCount = { top_pages: 10, top_queries: 20 } as const

/** How many entities a rule looks at together: the more, the likelier that chance moves one. New content has no past to compare with. */
export function lookedAt({ monitor, targets }: Pick<Rule, 'monitor' | 'targets'>): number {
  switch (monitor) {
    case 'top_pages':
    case 'top_queries':
      return topCount[monitor]
    case 'pages':
    case 'queries':
      return targets.length
    default:
      return 1
  }
}

/** How many days after it was first seen content counts as new. */
export const newContentDays = 30

/** Whole days, both inclusive. */
export type Window = { start: IsoDate; end: IsoDate }

/** What a finding is about: the site, a segment of it, a page, or a query. */
export type Entity = { kind: 'site' | 'segment' | 'page' | 'query'; name: string }

/** What a rule may alert about: the rule about unusual CTR of the top queries also finds changes shared by all of them, which are about the site. */
export const entityKindsOf = (rule: Rule): Entity['kind'][] => {
  const isShared = rule.kind === 'unusual' && rule.metric === 'ctr' && rule.monitor === 'top_queries' && rule.segment === null
  return isShared ? ['query', 'site'] : [entityKindOf(rule)]
}

/** The entities a monitor looks at. */
export function entityKindOf({ kind, monitor, segment }: Pick<Rule, 'kind' | 'monitor' | 'segment'>): Entity['kind'] {
  if (kind === 'new_page') return 'page'
  if (kind === 'new_query' || kind === 'lost_query') return 'query'
  switch (monitor) {
    case 'site':
      return segment === null ? 'site' : 'segment'
    case 'top_pages':
    case 'pages':
    case 'new_content':
    case 'all_pages':
      return 'page'
    case 'top_queries':
    case 'queries':
    case 'all_queries':
      return 'query'
  }
}
