import type { AnalyticsSummary } from '../../../contract/analytics.ts'
import type { InsightLists } from './insight-figures.ts'

/** The input of a tab built from the lists. */
export type InsightsTabProps = {
  property: string
  /** In URL form. */
  range: string
  lists: InsightLists
  /** Undefined while unknown, null if there is nothing to sum up. */
  summary: AnalyticsSummary | null | undefined
}

/** The input of a tab that compares periods. */
export type ComparedTabProps = {
  property: string
  /** In URL form. */
  period: { range: string; compare: string }
  onCompare: (compare: string) => void
}
