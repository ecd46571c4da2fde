import { useQuery } from '@tanstack/react-query'
import type { Range } from '../../../contract/analytics.ts'
import { keywordsQuery, opportunitiesQuery, pagesQuery, summaryQuery } from '../../api/analytics.ts'
import { listLimits, type InsightLists } from './insight-figures.ts'

/** What cards, recommendations and charts are made of, and what it has to be read against. Nothing in them is compared. */
export function useInsights(property: string, days: Range) {
  const period = { days, compare: 'none' } as const
  const summary = useQuery(summaryQuery(property, period))
  const opportunities = useQuery(opportunitiesQuery(property, { ...period, limit: listLimits.opportunities }))
  const keywords = useQuery(keywordsQuery(property, { ...period, limit: listLimits.keywords }))
  const pages = useQuery(pagesQuery(property, { ...period, limit: listLimits.pages }))
  const all = [summary, opportunities, keywords, pages]
  const lists: InsightLists | null =
    opportunities.data && keywords.data && pages.data
      ? { opportunities: opportunities.data, keywords: keywords.data, pages: pages.data }
      : null
  return {
    lists,
    summary: summary.data,
    error: all.find(({ error }) => error !== null)?.error ?? null,
    /** Those of another choice, still there until the new ones are. */
    isOutdated: all.some(({ isPlaceholderData }) => isPlaceholderData),
    retry: () => {
      for (const query of all) if (query.error !== null) void query.refetch()
    },
  }
}
