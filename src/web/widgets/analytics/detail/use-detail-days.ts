import { useQuery } from '@tanstack/react-query'
import { daysQuery, type PeriodParams } from '../../../api/analytics.ts'
import { isCompared, useSummary } from '../coverage/is-compared.ts'
import { figuresOf } from './detail-figures.ts'
import type { Detail } from './detail-link.ts'

/** A page's or query's days, and its figures for both periods; `answer` is null while nothing is stored. */
export function useDetailDays(property: string, { kind, name }: Detail, period: PeriodParams) {
  const { data, error, isPlaceholderData, refetch } = useQuery(
    daysQuery(property, { ...period, ...(kind === 'page' ? { page: name } : { query: name }) }),
  )
  // The screen below has requested it already.
  const summary = useSummary(property, period).data
  return {
    answer: data,
    error,
    isOutdated: isPlaceholderData,
    figures: data ? figuresOf(data.days) : null,
    previous: data ? figuresOf(data.previousDays) : null,
    isCompared: data !== undefined && data !== null && data.previous !== null && data.gaps.length + data.previousGaps.length === 0,
    /** For a page's queries, or a query's pages. */
    pairsAreCompared: isCompared(summary, 'query_page'),
    pairsCutOff: summary?.pairs.cutOffDays ?? 0,
    retry: () => void refetch(),
  }
}
export type DetailDaysState = ReturnType<typeof useDetailDays>
