import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { addressOf, type QueryOf } from '../../contract/endpoint.ts'
import { exploreEndpoints } from '../../contract/explore/explore.ts'
import { type NewSaved, type Saved, savedEndpoints } from '../../contract/explore/saved.ts'
import { call } from './client.ts'

export type ExploreParams = Omit<QueryOf<typeof exploreEndpoints.read>, 'offset' | 'limit' | 'property'> & { property: string }

/** Rows that are asked for at once. */
const rowsAtOnce = 200

/** Rows of the explorer, a part at a time; the answer before stays until the new one is there. */
export const exploreQuery = (params: ExploreParams) =>
  infiniteQueryOptions({
    queryKey: [exploreEndpoints.read.path, params],
    queryFn: ({ pageParam, signal }) =>
      call(exploreEndpoints.read, { query: { ...params, offset: String(pageParam), limit: String(rowsAtOnce) }, signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.length * rowsAtOnce
      return last !== null && loaded < last.count ? loaded : undefined
    },
    placeholderData: keepPreviousData,
  })

type FewParams = Pick<ExploreParams, 'property' | 'range' | 'compare' | 'by' | 'sort' | 'order'> & { limit: number }

/** The first few of such rows; the answer before stays until the new one is there. */
export const fewRowsQuery = ({ limit, ...params }: FewParams) =>
  queryOptions({
    queryKey: [exploreEndpoints.read.path, 'few', params, limit],
    queryFn: ({ signal }) => call(exploreEndpoints.read, { query: { ...params, limit: String(limit) }, signal }),
    placeholderData: keepPreviousData,
  })

/** Where all of the same rows are to be had as a file. */
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
