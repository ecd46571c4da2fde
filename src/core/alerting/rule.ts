import type { Direction, Sensitivity } from '../../contract/alerts/conditions.ts'
import type { IsoDate } from '../../contract/common.ts'

export type { Direction }

/** The four figures that alerts are about. */
export type AlertMetric = 'clicks' | 'impressions' | 'ctr' | 'position'

/**
 * What a rule looks for: a figure that changed between two windows, one that is other than was to be expected, a query or page
 * seen for the first time among the first `threshold` positions, or a query that was there and is no longer.
 */
export type RuleKind = 'change' | 'unusual' | 'new_query' | 'lost_query' | 'new_page'

/** Of what the figures are compared. "Top" means most clicks in the earlier window. */
export type Monitor = 'site' | 'top_pages' | 'top_queries' | 'pages' | 'queries' | 'new_content' | 'all_pages' | 'all_queries'

export type Comparison = 'previous_7_days' | 'previous_30_days' | 'same_period_last_year'

export type Rule = {
  id: string
  kind: RuleKind
  metric: AlertMetric
  /** What is looked for. A position falls when its number grows. */
  direction: Direction
  /** Whether changes that this site, page or query goes through anyway stay silent. */
  onlyUnusual: boolean
  monitor: Monitor
  /** Chosen pages or queries, for those two monitors. */
  targets: readonly string[]
  /** Per cent; places for positions; the last position that counts for new and lost ones. */
  threshold: number
  comparison: Comparison
  /** Impressions that the larger side must have: the window before for a fall, the one now for a rise. */
  minimumImpressions: number
  /** Of a rule about what is unusual: how many false alarms a year it may give. */
  sensitivity: Sensitivity
}

/** What the title of a new rule says is watched, where nothing else does: rises, or else falls (SPEC §5). */
export const directionOf = (title: string): Direction => (title.toLowerCase().includes('spike') ? 'rises' : 'falls')

/** How many pages or queries "top" means. */
export const topCount = { top_pages: 10, top_queries: 20 } as const

/** Content counts as new for so many days after it was first seen. */
export const newContentDays = 30

/** Whole days, both included. */
export type Window = { start: IsoDate; end: IsoDate }

/** What somebody's rule is about: the site, one of its pages, or a query. */
export type Entity = { kind: 'site' | 'page' | 'query'; name: string }

/** The entities a monitor looks at. */
export function entityKindOf({ kind, monitor }: Pick<Rule, 'kind' | 'monitor'>): Entity['kind'] {
  if (kind === 'new_page') return 'page'
  if (kind === 'new_query' || kind === 'lost_query') return 'query'
  switch (monitor) {
    case 'site':
      return 'site'
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
