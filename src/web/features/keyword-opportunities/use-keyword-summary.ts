import type { AnalyticsSummary } from '../../../contract/analytics.ts'
import type { RowFigures } from '../../../contract/figures.ts'
import { isCompared, useSummaryOfSegment, useSummary } from '../../widgets/analytics/coverage/is-compared.ts'
import type { PeriodView } from '../../widgets/analytics/period-view.ts'
import { periodParams } from './keyword-params.ts'

export type KeywordSummary = {
  /** Undefined while loading; null while no day is stored. */
  summary: AnalyticsSummary | null | undefined
  error: Error | null
  retry: () => void
}

/** The context for reading this period's lists, or those of a segment. */
export function useKeywordSummary(property: string, view: PeriodView & { segment?: string }): KeywordSummary {
  const { data, error, refetch } = useSummary(property, periodParams(view))
  const summary = useSummaryOfSegment(data, 'query', view.segment ?? '')
  return { summary, error, retry: () => void refetch() }
}

/**
 * A row's previous figures; null: it wasn't shown then; undefined: nothing is compared. Compared with half a period everything would look
 * as if it had grown.
 */
export function figuresBefore(row: { previous: RowFigures | null }, summary: KeywordSummary['summary']): RowFigures | null | undefined {
  return isCompared(summary, 'query') ? row.previous : undefined
}
