import { useQuery } from '@tanstack/react-query'
import type { AnalyticsSummary, RowFigures } from '../../../contract/analytics.ts'
import { summaryQuery } from '../../api/analytics.ts'
import { isCompared } from '../../widgets/analytics/is-compared.ts'
import { periodParams } from './keyword-params.ts'
import type { PeriodView } from './keyword-views.ts'

export type KeywordSummary = {
  /** Undefined while it is on its way; null while no day is stored. */
  summary: AnalyticsSummary | null | undefined
  error: Error | null
  retry: () => void
}

/** What the lists of this period have to be read against. */
export function useKeywordSummary(property: string, view: PeriodView): KeywordSummary {
  const { data, isPlaceholderData, error, refetch } = useQuery(summaryQuery(property, periodParams(view)))
  return { summary: isPlaceholderData ? undefined : data, error, retry: () => void refetch() }
}

/**
 * What a row's figures were before; null: it was not shown then; undefined: nothing is compared. Beside half a period
 * everything would look as if it had grown.
 */
export function figuresBefore(row: { previous: RowFigures | null }, summary: KeywordSummary['summary']): RowFigures | null | undefined {
  return isCompared(summary, 'query') ? row.previous : undefined
}
