import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { analyticsEndpoints, type AnalyticsQuery, type Comparison, type Range } from '../../contract/analytics.ts'
import { addressOf, type Endpoint, type QueryOf } from '../../contract/endpoint.ts'
import { type HistoryAsked, historyEndpoints, writeRange } from '../../contract/history.ts'
import { keywordEndpoints, type KeywordsFileQuery, type OpportunitiesFileQuery } from '../../contract/keywords.ts'
import { pageEndpoints, type PagesFileQuery } from '../../contract/pages.ts'
import { callAny } from './client.ts'

/** Days and comparison; the other parameters of a list are all optional. */
export type PeriodParams = { days: Range; compare?: Comparison }
type ParamsOf<T extends AnalyticsQuery> = PeriodParams & Partial<Omit<T, 'property' | 'days' | 'compare'>>
export type KeywordsParams = ParamsOf<KeywordsFileQuery>
export type OpportunitiesParams = ParamsOf<OpportunitiesFileQuery>
export type PagesParams = ParamsOf<PagesFileQuery>
export type CompetingParams = Omit<KeywordsParams, 'presence' | 'sort' | 'order'>
export type DecayParams = { days: Range; search?: string | undefined }
type Limited = { limit: number }

/** One question about a property; the answer before stays until the new one is there. */
function question<E extends Endpoint>(endpoint: E, query: QueryOf<E> & { property: string }) {
  const { property, ...params } = query
  return queryOptions({
    queryKey: [endpoint.path, property, params],
    queryFn: ({ signal }) => callAny(endpoint, { query, signal }),
    placeholderData: keepPreviousData,
  })
}

export const summaryQuery = (property: string, params: PeriodParams) => question(analyticsEndpoints.summary, { property, ...params })

/** Over any stretch of what is stored, by day, week or month. */
export const historyQuery = (property: string, { range, ...asked }: HistoryAsked) =>
  question(historyEndpoints.read, { property, ...asked, range: writeRange(range) })

/** Day by day: of the property, or of one page or query. */
export const daysQuery = (property: string, params: PeriodParams & { page?: string; query?: string }) =>
  question(analyticsEndpoints.days, { property, ...params })

export const segmentsQuery = (property: string, params: PeriodParams & { dimension: 'device' | 'country' }) =>
  question(analyticsEndpoints.segments, { property, ...params })

export const keywordsQuery = (property: string, params: KeywordsParams & Limited) =>
  question(keywordEndpoints.list, { property, ...params })

export const opportunitiesQuery = (property: string, params: OpportunitiesParams & Limited) =>
  question(keywordEndpoints.opportunities, { property, ...params })

export const competingQuery = (property: string, params: CompetingParams & Limited) =>
  question(keywordEndpoints.competing, { property, ...params })

/** Which pages a query brought. */
export const keywordPagesQuery = (property: string, params: PeriodParams & { query: string }) =>
  question(keywordEndpoints.pagesOf, { property, ...params })

/** Which queries brought a page. */
export const pageKeywordsQuery = (property: string, params: PeriodParams & { page: string } & Limited) =>
  question(pageEndpoints.keywordsOf, { property, ...params })

export const pagesQuery = (property: string, params: PagesParams & Limited) => question(pageEndpoints.list, { property, ...params })

/** All pages, `limit` at a time. */
export const allPagesQuery = (property: string, { limit, ...params }: PagesParams & Limited) =>
  infiniteQueryOptions({
    queryKey: [pageEndpoints.list.path, property, 'all', params, limit],
    queryFn: ({ pageParam, signal }) =>
      callAny(pageEndpoints.list, { query: { property, ...params, limit: String(limit), offset: String(pageParam) }, signal }),
    initialPageParam: 0,
    // A part that is not full is the last one.
    getNextPageParam: (last, parts) => (last.length < limit ? undefined : parts.length * limit),
    placeholderData: keepPreviousData,
  })

export const decayQuery = (property: string, params: DecayParams & Limited) => question(pageEndpoints.decay, { property, ...params })

// Where the same rows are to be had as a file, all of them.
export const keywordsFile = (property: string, params: KeywordsParams) =>
  addressOf(keywordEndpoints.file, { query: { property, ...params } })
export const opportunitiesFile = (property: string, params: OpportunitiesParams) =>
  addressOf(keywordEndpoints.opportunitiesFile, { query: { property, ...params } })
export const competingFile = (property: string, params: CompetingParams) =>
  addressOf(keywordEndpoints.competingFile, { query: { property, ...params } })
export const pagesFile = (property: string, params: PagesParams) => addressOf(pageEndpoints.file, { query: { property, ...params } })
export const decayFile = (property: string, params: DecayParams) => addressOf(pageEndpoints.decayFile, { query: { property, ...params } })
/** Every row of every day of the period. */
export const dailyFile = (property: string, params: PeriodParams & { grain: 'page' | 'query' | 'query_page' }) =>
  addressOf(analyticsEndpoints.dailyFile, { query: { property, ...params } })
