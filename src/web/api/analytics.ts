import { keepPreviousData, type Query, type QueryClient, queryOptions } from '@tanstack/react-query'
import { analyticsEndpoints, type AnalyticsQuery } from '../../contract/analytics.ts'
import { mostOfAll } from '../../contract/common.ts'
import { addressOf, type AnswerOf, type Endpoint, type QueryOf } from '../../contract/endpoint.ts'
import { historyEndpoints, writeRange } from '../../contract/history.ts'
import { ranges, writeComparison } from '../../contract/range.ts'
import { type CompetingFileQuery, keywordEndpoints, type KeywordsFileQuery, type OpportunitiesFileQuery } from '../../contract/keywords.ts'
import { pageEndpoints, type PagesFileQuery } from '../../contract/pages.ts'
import { callAny } from './client.ts'
import { type Trends, trendsAtOnce } from './explore.ts'
import type { FiguresAsked } from './metrics.ts'
import { pagedList } from '../lib/hooks/paged-list.ts'

/** Days and comparison in URL form (`28d`, `year`); a list's other parameters are all optional. */
export type PeriodParams = { range: string; compare?: string }
type ParamsOf<T extends AnalyticsQuery> = PeriodParams & Partial<Omit<T, 'property' | 'days' | 'range' | 'compare'>>
export type KeywordsParams = ParamsOf<KeywordsFileQuery>
export type OpportunitiesParams = ParamsOf<OpportunitiesFileQuery>
export type PagesParams = ParamsOf<PagesFileQuery>
export type CompetingParams = ParamsOf<CompetingFileQuery>
export type DecayParams = { range: string; segment?: string | undefined; search?: string | undefined }
type Limited = { limit: number }

/** The server's parameters: SPEC §7 uses `days` for its three ranges; `range` covers the others. */
export function said<T extends { range: string }>({ range, ...rest }: T) {
  const days = ranges.find((each) => `${each}d` === range)
  return { ...rest, ...(days === undefined ? { range } : { days }) }
}

/** One question about a property; keeps the previous answer until the new one arrives. */
function question<E extends Endpoint>(endpoint: E, query: QueryOf<E> & { property: string }) {
  const { property, ...params } = query
  return queryOptions({
    queryKey: [endpoint.path, property, params],
    queryFn: ({ signal }) => callAny(endpoint, { query, signal }),
    placeholderData: keepPreviousData,
  })
}

export const summaryQuery = (property: string, params: PeriodParams) => question(analyticsEndpoints.summary, { property, ...said(params) })

/** For any stretch of stored days, by day, week or month. */
export const historyQuery = (property: string, { range, compare, grain, segment = '', type = 'web' }: FiguresAsked) =>
  question(historyEndpoints.read, {
    property,
    range: writeRange(range),
    compare: writeComparison(compare),
    grain,
    ...(segment !== '' && { segment }),
    ...(type !== 'web' && { type }),
  })

/** By day: for the property, or for one page or query. */
export const daysQuery = (property: string, params: PeriodParams & { page?: string; query?: string }) =>
  question(analyticsEndpoints.days, { property, ...said(params) })

export const segmentsQuery = (property: string, params: PeriodParams & { dimension: 'device' | 'country' }) =>
  question(analyticsEndpoints.segments, { property, ...said(params) })

export const searchTypesQuery = (property: string, params: PeriodParams) =>
  question(analyticsEndpoints.searchTypes, { property, ...params })

export const keywordsQuery = (property: string, params: KeywordsParams & Limited) =>
  question(keywordEndpoints.list, { property, ...said(params) })

export const opportunitiesQuery = (property: string, params: OpportunitiesParams & Limited) =>
  question(keywordEndpoints.opportunities, { property, ...said(params) })

/** The pages shown for a query. */
export const keywordPagesQuery = (property: string, params: PeriodParams & { query: string } & Limited) =>
  question(keywordEndpoints.pagesOf, { property, ...said(params) })

/** The queries a page was shown for. */
export const pageKeywordsQuery = (property: string, params: PeriodParams & { page: string } & Limited) =>
  question(pageEndpoints.keywordsOf, { property, ...said(params) })

export const pagesQuery = (property: string, params: PagesParams & Limited) => question(pageEndpoints.list, { property, ...said(params) })

/** Instead of a property: pages, keywords and opportunities of all of them, each row naming its own. */
export const allSites = 'all'

/** A whole list, `limit` rows at a time; the first ones are shared with {@link question}. */
const whole = <E extends Endpoint, Row>(
  endpoint: E,
  { property, limit, ...params }: QueryOf<E> & { property: string; limit: number },
  rowsOf: (answer: AnswerOf<E>) => readonly Row[],
) =>
  pagedList<AnswerOf<E>, Row>({
    key: [endpoint.path, property, 'all', params, limit],
    limit,
    ...(property === allSites && { most: mostOfAll }),
    first: (client) => client.fetchQuery(question(endpoint, { property, ...params, limit } as never)),
    read: ({ offset, limit: most, signal }) => callAny(endpoint, { query: { property, ...params, limit: most, offset }, signal }),
    rowsOf,
  })
const itself = <Rows>(rows: Rows): Rows => rows

export const allPages = (property: string, params: PagesParams & Limited) =>
  whole(pageEndpoints.list, { property, ...said(params) }, itself)
/** The clicks over time of some of these pages, by their place. */
export const pageTrends = (property: string, params: PagesParams) => (part: number) =>
  queryOptions({
    queryKey: [pageEndpoints.list.path, property, 'trends', params, part],
    queryFn: async ({ signal }): Promise<Trends> => {
      const place = { trend: 'clicks', offset: part * trendsAtOnce, limit: trendsAtOnce } as const
      const pages = await callAny(pageEndpoints.list, { query: { property, ...said(params), ...place }, signal })
      const [days] = pages.flatMap(({ trend }) => trend?.days ?? [])
      return days === undefined ? null : { days, of: new Map(pages.flatMap(({ page, trend }) => (trend ? [[page, trend.clicks]] : []))) }
    },
  })
export const allKeywords = (property: string, params: KeywordsParams & Limited) =>
  whole(keywordEndpoints.list, { property, ...said(params) }, itself)
export const allOpportunities = (property: string, params: OpportunitiesParams & Limited) =>
  whole(keywordEndpoints.opportunities, { property, ...said(params) }, itself)
export const allCompeting = (property: string, params: CompetingParams & Limited) =>
  whole(keywordEndpoints.competing, { property, ...said(params) }, itself)
export const allDecay = (property: string, params: DecayParams & Limited) =>
  whole(pageEndpoints.decay, { property, ...said(params) }, (decay) => decay?.pages ?? [])

// The URL of a file with all of these rows.
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

/** Everything computed from stored days: cards, charts, lists, search and reports. */
const ofFigures = /^\/api\/(metrics|analytics|explore(?!\/saved)|pages|keywords|brand\/split|search|reports\/periodic)(\/|$)/
const isOfFigures = ({ queryKey: [path] }: Query): boolean => typeof path === 'string' && ofFigures.test(path)

/** Refetches the figures on screen, and others once they are shown again. */
export const reloadFigures = (client: QueryClient): Promise<void> => client.invalidateQueries({ predicate: isOfFigures })

/** The same while days are arriving: a request under way goes on, however slow it is. */
export const reloadFiguresGently = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ predicate: isOfFigures }, { cancelRefetch: false })
