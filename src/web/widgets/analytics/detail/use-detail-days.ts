import { useQuery } from '@tanstack/react-query'
import { daysQuery, type PeriodParams, summaryQuery } from '../../../api/analytics.ts'
import { isCompared } from '../is-compared.ts'
import { figuresOf } from './detail-figures.ts'
import type { Detail } from './detail-link.ts'

/** The days of a page or query, and its figures of both periods; `answer` is null while nothing is stored. */
export function useDetailDays(property: string, { kind, name }: Detail, period: PeriodParams) {
  const { data, error, isPlaceholderData, refetch } = useQuery(
    daysQuery(property, { ...period, ...(kind === 'page' ? { page: name } : { query: name }) }),
  )
  // Only tells where days are not stored from days without impressions; the screen below has asked for it already.
  const summary = useQuery(summaryQuery(property, period)).data
  return {
    answer: data,
    error,
    isOutdated: isPlaceholderData,
    figures: data ? figuresOf(data.days) : null,
    previous: data ? figuresOf(data.previousDays) : null,
    /** Which days are compared; undefined while that is not known. */
    days: summary ?? undefined,
    stored: { currentFrom: summary?.currentFrom ?? null, previousFrom: summary?.previousFrom ?? null },
    isCompared: isCompared(summary, kind === 'page' ? 'page' : 'query'),
    /** Of what a page is found by, or a query brings. */
    pairsAreCompared: isCompared(summary, 'query_page'),
    pairsCutOff: summary?.pairs.cutOffDays ?? 0,
    retry: () => void refetch(),
  }
}
export type DetailDaysState = ReturnType<typeof useDetailDays>
