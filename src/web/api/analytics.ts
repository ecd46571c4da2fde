import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { analyticsEndpoints, type AnalyticsQuery, type Comparison, ranges } from '../../contract/analytics.ts'
import { addressOf, type Endpoint, type QueryOf } from '../../contract/endpoint.ts'
import { type HistoryAsked, historyEndpoints, writeRange } from '../../contract/history.ts'
import { keywordEndpoints, type KeywordsFileQuery, type OpportunitiesFileQuery } from '../../contract/keywords.ts'
import { pageEndpoints, type PagesFileQuery } from '../../contract/pages.ts'
import { callAny } from './client.ts'

/** Days, as an address says them (`28d`), and comparison; the other parameters of a list are all optional. */
export type PeriodParams = { range: string; compare?: Comparison }
type ParamsOf<T extends AnalyticsQuery> = PeriodParams & Partial<Omit<T, 'property' | 'days' | 'range' | 'compare'>>
export type KeywordsParams = ParamsOf<KeywordsFileQuery>
export type OpportunitiesParams = ParamsOf<OpportunitiesFileQuery>
export type PagesParams = ParamsOf<PagesFileQuery>
export type CompetingParams = Omit<KeywordsParams, 'presence' | 'sort' | 'order'>
export type DecayParams = { range: string; search?: string | undefined }
type Limited = { limit: number }

/** As the server is asked: SPEC §7 names `days` for its three ranges; others are said by `range`. */
export function said<T extends { range: string }>({ range, ...rest }: T) {
  const days = ranges.find((each) => `${each}d` === range)
  return { ...rest, ...(days === undefined ? { range } : { days }) }
}

/** One question about a property; the answer before stays until the new one is there. */
function question<E extends Endpoint>(endpoint: E, query: QueryOf<E> & { property: string }) {
  const { property, ...params } = query
  return queryOptions({
    queryKey: [endpoint.path, property, params],
    queryFn: ({ signal }) => callAny(endpoint, { query, signal }),
    placeholderData: keepPreviousData,
  })
}

export const summaryQuery = (property: string, params: PeriodParams) => question(analyticsEndpoints.summary, { property, ...said(params) })

/** Over any stretch of what is stored, by day, week or month. */
export const historyQuery = (property: string, { range, ...asked }: HistoryAsked) =>
  question(historyEndpoints.read, { property, ...asked, range: writeRange(range) })

/** Day by day: of the property, or of one page or query. */
export const daysQuery = (property: string, params: PeriodParams & { page?: string; query?: string }) =>
  question(analyticsEndpoints.days, { property, ...said(params) })

export const segmentsQuery = (property: string, params: PeriodParams & { dimension: 'device' | 'country' }) =>
  question(analyticsEndpoints.segments, { property, ...said(params) })

export const keywordsQuery = (property: string, params: KeywordsParams & Limited) =>
  question(keywordEndpoints.list, { property, ...said(params) })

export const opportunitiesQuery = (property: string, params: OpportunitiesParams & Limited) =>
  question(keywordEndpoints.opportunities, { property, ...said(params) })

export const competingQuery = (property: string, params: CompetingParams & Limited) =>
  question(keywordEndpoints.competing, { property, ...said(params) })

/** Which pages a query brought. */
export const keywordPagesQuery = (property: string, params: PeriodParams & { query: string }) =>
  question(keywordEndpoints.pagesOf, { property, ...said(params) })

/** Which queries brought a page. */
export const pageKeywordsQuery = (property: string, params: PeriodParams & { page: string } & Limited) =>
  question(pageEndpoints.keywordsOf, { property, ...said(params) })

export const pagesQuery = (property: string, params: PagesParams & Limited) => question(pageEndpoints.list, { property, ...said(params) })

/** All pages, `limit` at a time. */
export const allPagesQuery = (property: string, { limit, ...params }: PagesParams & Limited) =>
  infiniteQueryOptions({
    queryKey: [pageEndpoints.list.path, property, 'all', params, limit],
    queryFn: ({ pageParam, signal }) =>
      callAny(pageEndpoints.list, { query: { property, ...said(params), limit: String(limit), offset: String(pageParam) }, signal }),
    initialPageParam: 0,
    // A part that is not full is the last one.
    getNextPageParam: (last, parts) => (last.length < limit ? undefined : parts.length * limit),
    placeholderData: keepPreviousData,
  })

export const decayQuery = (property: string, params: DecayParams & Limited) => question(pageEndpoints.decay, { property, ...said(params) })

// Where the same rows are to be had as a file, all of them.
export const keywordsFile = (property: string, params: KeywordsParams) =>
  addressOf(keywordEndpoints.file, { query: { property, ...said(params) } })
export const opportunitiesFile = (property: string, params: OpportunitiesParams) =>
  addressOf(keywordEndpoints.opportunitiesFile, { query: { property, ...said(params) } })
export const competingFile = (property: string, params: CompetingParams) =>
  addressOf(keywordEndpoints.competingFile, { query: { property, ...said(params) } })
export const pagesFile = (property: string, params: PagesParams) => addressOf(pageEndpoints.file, { query: { property, ...said(params) } })
export const decayFile = (property: string, params: DecayParams) =>
  addressOf(pageEndpoints.decayFile, { query: { property, ...said(params) } })
/** Every row of every day of the period. */
export const dailyFile = (property: string, params: PeriodParams & { grain: 'page' | 'query' | 'query_page' }) =>
  addressOf(analyticsEndpoints.dailyFile, { query: { property, ...said(params) } })
