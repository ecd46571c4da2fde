import type { AnalyticsSummary, Comparison } from '../../../contract/analytics.ts'
import type { InsightLists } from './insight-figures.ts'

/** What a tab gets that is made of the lists. */
export type InsightsTabProps = {
  property: string
  /** As an address says it. */
  range: string
  lists: InsightLists
  /** Undefined while it is not known, null while there is nothing to sum up. */
  summary: AnalyticsSummary | null | undefined
}

/** What a tab gets whose periods are compared. */
export type ComparedTabProps = {
  property: string
  period: { range: string; compare: Comparison }
  onCompare: (compare: Comparison) => void
}
