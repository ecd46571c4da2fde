import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { analyticsDays, type AnalyticsQuery, analyticsSummary, type Comparison, type Range, segments } from '../../contract/analytics.ts'
import {
  competingKeywords,
  keywordPages,
  keywords,
  type KeywordsFileQuery,
  opportunities,
  type OpportunitiesFileQuery,
  pageKeywords,
} from '../../contract/keywords.ts'
import { decay, pages, type PagesFileQuery } from '../../contract/pages.ts'
import { ask, askFor } from './client.ts'
import { searchParams } from './search-params.ts'

/** Days and comparison; the other parameters of a list are all optional. */
export type PeriodParams = { days: Range; compare?: Comparison }
type ParamsOf<T extends AnalyticsQuery> = PeriodParams & Partial<Omit<T, 'property' | 'days' | 'compare'>>
export type KeywordsParams = ParamsOf<KeywordsFileQuery>
export type OpportunitiesParams = ParamsOf<OpportunitiesFileQuery>
export type PagesParams = ParamsOf<PagesFileQuery>
export type CompetingParams = Omit<KeywordsParams, 'presence' | 'sort' | 'order'>
export type DecayParams = { days: Range; search?: string | undefined }
type Limited = { limit: number }

/** An answer that is no list counts as an empty one (SPEC §8). */
const listReply = <T extends z.ZodType<readonly unknown[]>>(rows: T) =>
  z.preprocess((answer) => (Array.isArray(answer) ? answer : []), rows)

type Params = Readonly<Record<string, string | number | undefined>>

/** One question; the answer before stays until the new one is there. */
function question<T extends z.ZodType>(path: string, answer: T, property: string, params: Params) {
  return queryOptions({
    queryKey: [path, property, params],
    queryFn: ({ signal }) => ask(answer, `${path}?${searchParams({ property, ...params })}`, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** A list; never null. */
function list<T extends z.ZodType<readonly unknown[]>>(path: string, rows: T, property: string, params: Params) {
  return queryOptions({
    queryKey: [path, property, params],
    queryFn: ({ signal }) => askFor(listReply(rows), `${path}?${searchParams({ property, ...params })}`, { signal }),
    placeholderData: keepPreviousData,
  })
}

export const summaryQuery = (property: string, params: PeriodParams) =>
  question('/api/analytics/summary', analyticsSummary, property, params)

/** Day by day: of the property, or of one page or query. */
export const daysQuery = (property: string, params: PeriodParams & { page?: string; query?: string }) =>
  question('/api/analytics/days', analyticsDays, property, params)

export const segmentsQuery = (property: string, params: PeriodParams & { dimension: 'device' | 'country' }) =>
  list('/api/analytics/segments', segments, property, params)

export const keywordsQuery = (property: string, params: KeywordsParams & Limited) => list('/api/keywords', keywords, property, params)

export const opportunitiesQuery = (property: string, params: OpportunitiesParams & Limited) =>
  list('/api/keywords/opportunities', opportunities, property, params)

export const competingQuery = (property: string, params: CompetingParams & Limited) =>
  list('/api/keywords/competing', competingKeywords, property, params)

/** Which pages a query brought. */
export const keywordPagesQuery = (property: string, params: PeriodParams & { query: string }) =>
  list('/api/keywords/pages', keywordPages, property, params)

/** Which queries brought a page. */
export const pageKeywordsQuery = (property: string, params: PeriodParams & { page: string } & Limited) =>
  list('/api/pages/keywords', pageKeywords, property, params)

export const pagesQuery = (property: string, params: PagesParams & Limited) => list('/api/pages', pages, property, params)

export const decayQuery = (property: string, params: DecayParams & Limited) => question('/api/pages/decay', decay, property, params)

/** Where the same rows are to be had as a file, all of them. */
const file = (path: string, property: string, params: Params): string => `${path}?${searchParams({ property, ...params })}`
export const keywordsFile = (property: string, params: KeywordsParams) => file('/api/keywords/export.csv', property, params)
export const opportunitiesFile = (property: string, params: OpportunitiesParams) =>
  file('/api/keywords/opportunities/export.csv', property, params)
export const competingFile = (property: string, params: CompetingParams) => file('/api/keywords/competing/export.csv', property, params)
export const pagesFile = (property: string, params: PagesParams) => file('/api/pages/export.csv', property, params)
export const decayFile = (property: string, params: DecayParams) => file('/api/pages/decay/export.csv', property, params)
/** Every row of every day of the period. */
export const dailyFile = (property: string, params: PeriodParams & { grain: 'page' | 'query' | 'query_page' }) =>
  file('/api/analytics/daily.csv', property, params)
