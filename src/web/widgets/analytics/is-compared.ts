import type { AnalyticsSummary } from '../../../contract/analytics.ts'

/** Whether figures stand beside others: something is compared, and every day of it is stored. Half a period would make everything look as if it had grown. */
export const isCompared = (summary: Pick<AnalyticsSummary, 'previous' | 'previousFrom'> | null | undefined): boolean =>
  summary?.previous ? summary.previousFrom === summary.previous.start : false
