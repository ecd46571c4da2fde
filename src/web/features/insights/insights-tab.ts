import type { AnalyticsSummary } from '../../../contract/analytics.ts'
import type { DrilledFrom } from '../../widgets/analytics/drill-down.ts'
import type { InsightLists } from './insight-figures.ts'

/** The input of a tab built from the lists. */
export type InsightsTabProps = {
  /** What links to keywords and pages carry on. */
  link: DrilledFrom
  lists: InsightLists
  /** Undefined while unknown, null if there is nothing to sum up. */
  summary: AnalyticsSummary | null | undefined
}

/** The input of a tab that compares periods. */
export type ComparedTabProps = {
  property: string
  /** In URL form. */
  period: { range: string; compare: string }
}
