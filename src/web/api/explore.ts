import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { addressOf, type QueryOf } from '../../contract/endpoint.ts'
import { exploreEndpoints, type ExploreRow } from '../../contract/explore/explore.ts'
import { type NewSaved, type Saved, savedEndpoints } from '../../contract/explore/saved.ts'
import type { Period } from '../../contract/metrics.ts'
import { call } from './client.ts'
import { pagedList } from '../lib/hooks/paged-list.ts'

export type ExploreParams = Omit<QueryOf<typeof exploreEndpoints.read>, 'offset' | 'limit' | 'property'> & { property: string }

/** Rows per request. */
const rowsAtOnce = 200

/** Rows of the explorer; the previous ones stay until they arrive if they have the same subjects: a keyword isn't a date. */
export const exploreRows = (params: ExploreParams) =>
  pagedList({
    key: [exploreEndpoints.read.path, params],
    limit: rowsAtOnce,
    read: ({ offset, limit, signal }) => call(exploreEndpoints.read, { query: { ...params, offset, limit }, signal }),
    rowsOf: (explored) => explored?.rows ?? [],
    isAlike: ([, before]) => (before as ExploreParams).by === params.by,
  })

/** The same rows by date, for a chart; keeps the previous answer until the new one arrives. */
export const exploreHistory = ({ by: _by, sort: _sort, order: _order, ...params }: ExploreParams) =>
  queryOptions({
    queryKey: [exploreEndpoints.history.path, params],
    queryFn: ({ signal }) => call(exploreEndpoints.history, { query: params, signal }),
    placeholderData: keepPreviousData,
  })

type FewParams = Pick<ExploreParams, 'property' | 'range' | 'compare' | 'type' | 'by' | 'sort' | 'order'> & { limit: number }

/** The first few such rows; keeps the previous answer until the new one arrives. */
export const fewRowsQuery = ({ limit, ...params }: FewParams) =>
  queryOptions({
    queryKey: [exploreEndpoints.read.path, 'few', params, limit],
    queryFn: ({ signal }) => call(exploreEndpoints.read, { query: { ...params, limit: String(limit) }, signal }),
    placeholderData: keepPreviousData,
  })

/** The rows whose clicks changed the most; keeps the previous answer until the new one arrives. */
export const changesQuery = (params: QueryOf<typeof exploreEndpoints.changes> & { property: string }) =>
  queryOptions({
    queryKey: [exploreEndpoints.changes.path, params],
    queryFn: ({ signal }) => call(exploreEndpoints.changes, { query: params, signal }),
    placeholderData: keepPreviousData,
  })

/** Rows per request for their trends: the server draws no more of them. */
export const trendsAtOnce = 20

/** The clicks over time of some rows of a list, by name; null if there are none. */
export type Trends = { days: Period; of: ReadonlyMap<string, NonNullable<ExploreRow['trend']>> } | null

/** The clicks over time of some of the explorer's rows, by their place. */
export const exploreTrends = (params: ExploreParams) => (part: number) =>
  queryOptions({
    queryKey: [exploreEndpoints.read.path, 'trends', params, part],
    queryFn: async ({ signal }): Promise<Trends> => {
      const query = { ...params, trend: 'clicks', offset: part * trendsAtOnce, limit: trendsAtOnce } as const
      const explored = await call(exploreEndpoints.read, { query, signal })
      if (!explored?.trendDays) return null
      return { days: explored.trendDays, of: new Map(explored.rows.flatMap(({ name, trend }) => (trend ? [[name, trend]] : []))) }
    },
  })

/** The URL of a file with all of these rows. */
export const exploreFile = (params: ExploreParams): string => addressOf(exploreEndpoints.file, { query: params })

/** A person's segments and views. */
export const savedQuery = queryOptions({
  queryKey: [savedEndpoints.list.path],
  queryFn: ({ signal }) => call(savedEndpoints.list, { signal }),
})

export const keepExploration = (given: NewSaved): Promise<Saved> => call(savedEndpoints.add, { body: given })
export const renameSaved = ({ id, name }: Pick<Saved, 'id' | 'name'>): Promise<Saved> =>
  call(savedEndpoints.rename, { params: { id }, body: { name } })
export const removeSaved = (id: string): Promise<void> => call(savedEndpoints.remove, { params: { id } })
