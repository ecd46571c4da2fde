import type { AnalyticsSummary, Comparison, Range } from '../../../contract/analytics.ts'
import type { InsightLists } from './insight-figures.ts'

/** What a tab gets that is made of the lists. */
export type InsightsTabProps = {
  property: string
  days: Range
  lists: InsightLists
  /** Undefined while it is not known, null while there is nothing to sum up. */
  summary: AnalyticsSummary | null | undefined
}

/** What a tab gets whose periods are compared. */
export type ComparedTabProps = {
  property: string
  period: { days: Range; compare: Comparison }
  onCompare: (compare: Comparison) => void
}
