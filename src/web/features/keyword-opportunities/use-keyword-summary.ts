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

/** What a row's figures were before; null: it was not shown then; undefined: that is not known, or nothing is compared. */
export function figuresBefore(row: { previous: RowFigures | null }, summary: KeywordSummary['summary']): RowFigures | null | undefined {
  if (row.previous !== null) return row.previous
  return isCompared(summary) ? null : undefined
}
