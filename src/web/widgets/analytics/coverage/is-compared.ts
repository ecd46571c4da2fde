import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { AnalyticsSummary, Grain } from '../../../../contract/analytics.ts'
import { type Filter, readFilters } from '../../../../contract/explore/explore.ts'
import type { Period } from '../../../../contract/metrics.ts'
import { grainOfExploration } from '../../../../core/analytics/exploration.ts'
import { type PeriodParams, summaryQuery } from '../../../api/analytics.ts'
import { savedQuery } from '../../../api/explore.ts'
import { formatPeriod } from '../../../lib/dates.ts'
import { type Days, yearsNeeded } from './years-of-periods.ts'

type Summary = Pick<AnalyticsSummary, 'comparedGrains'>
type OfLists = Summary & Pick<AnalyticsSummary, 'pages' | 'keywords' | 'pairs'>

/**
 * Whether figures are shown with previous ones: there is a comparison, and every day of both periods is stored. Half a period would make
 * everything look as if it had grown.
 */
export const isCompared = (summary: Summary | null | undefined, grain: Grain): boolean => summary?.comparedGrains.includes(grain) ?? false

/**
 * The summary for rows of a segment. If its filters need keywords by page, that is where the rows come from, and an import may have other
 * days of those: everything would look new.
 */
export function ofSegment<S extends OfLists>(summary: S, by: 'page' | 'query', where: readonly Filter[]): S {
  const found = grainOfExploration({ by, type: 'web', where })
  if ('problem' in found || found.grain === by) return summary
  const { comparedGrains, pairs } = summary
  const list = by === 'page' ? 'pages' : 'keywords'
  return {
    ...summary,
    [list]: { ...summary[list], gaps: pairs.gaps, previousGaps: pairs.previousGaps },
    comparedGrains: isCompared(summary, found.grain) ? comparedGrains : comparedGrains.filter((grain) => grain !== by),
  }
}

/** The context of a period's figures. While it is on its way, that of another choice doesn't stand in for it. */
export function useSummary(property: string, period: PeriodParams) {
  const { data, isPlaceholderData, error, refetch } = useQuery(summaryQuery(property, period))
  return { data: isPlaceholderData ? undefined : data, error, refetch }
}

/** A summary for a segment's id, empty for none; undefined while its filters are unknown. */
export function useSummaryOfSegment<S extends OfLists>(summary: S | null | undefined, by: 'page' | 'query', segment: string) {
  const where = useFiltersOfSegment(segment)
  return useMemo(() => {
    if (where === null || !summary) return summary
    return where && ofSegment(summary, by, where)
  }, [summary, by, where])
}

/** The filters of a segment's id; null without one; undefined while they are unknown. */
export function useFiltersOfSegment(segment: string): readonly Filter[] | null | undefined {
  const { data, isPending } = useQuery({ ...savedQuery, enabled: segment !== '' })
  return useMemo(() => {
    if (segment === '') return null
    return isPending ? undefined : readFilters(data?.find(({ id }) => id === segment)?.content ?? '').filters
  }, [segment, data, isPending])
}

/** Why nothing is compared although both periods are stored from their first day. */
export function gapWords(days: Days<Period>): string {
  const { years } = yearsNeeded(days)
  return `Some days in ${formatPeriod(days.current, years)} or ${formatPeriod(days.previous, years)} are missing, so there’s no comparison.`
}
