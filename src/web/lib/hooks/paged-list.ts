import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
  type UseInfiniteQueryOptions,
} from '@tanstack/react-query'
import { useMemo } from 'react'

/** A list that arrives in parts. */
export type PagedList<Answer, Row> = {
  options: UseInfiniteQueryOptions<Answer, Error, InfiniteData<Answer, number>, QueryKey, number>
  rowsOf: (answer: Answer) => readonly Row[]
  /** Any part of it, without keeping it. */
  part: (offset: number, limit: number) => Promise<readonly Row[]>
}

type PagedListInput<Answer, Row> = Pick<PagedList<Answer, Row>, 'rowsOf'> & {
  key: QueryKey
  /** Rows per request. */
  limit: number
  /** How many rows the server answers at most, if it has a limit. */
  most?: number
  read: (part: { offset: number; limit: number; signal: AbortSignal }) => Promise<Answer>
  /** Reads the first part, if others ask for the same. */
  first?: (client: QueryClient) => Promise<Answer>
  /** Whether the rows of another key mean the same, so that they can be shown until these arrive; by default all do. */
  isAlike?: (key: QueryKey) => boolean
}

/** Keeps the previous rows until the new ones arrive. */
export function pagedList<Answer, Row>({
  key,
  limit,
  most = Infinity,
  read,
  first,
  isAlike = () => true,
  rowsOf,
}: PagedListInput<Answer, Row>): PagedList<Answer, Row> {
  return {
    options: infiniteQueryOptions({
      queryKey: key,
      queryFn: ({ client, pageParam, signal }) => (pageParam === 0 && first ? first(client) : read({ offset: pageParam, limit, signal })),
      initialPageParam: 0,
      // A part that isn't full is the last one.
      getNextPageParam: (last, parts) => (rowsOf(last).length < limit || parts.length * limit >= most ? undefined : parts.length * limit),
      placeholderData: (before, query) => (query !== undefined && isAlike(query.queryKey) ? before : undefined),
    }),
    rowsOf,
    part: async (offset, asked) => {
      const fits = Math.min(asked, most - offset)
      return fits <= 0 ? [] : rowsOf(await read({ offset, limit: fits, signal: new AbortController().signal }))
    },
  }
}

/** The rows of a list that aren't loaded yet. */
export type MoreRows<Row> = Pick<PagedList<unknown, Row>, 'part'> & {
  /** Total number of rows; null if unknown. */
  total: number | null
  hasMore: boolean
  /** Whether the rows so far are those of another choice. */
  isOutdated: boolean
  load: () => void
  /** Whether the last part couldn't be loaded. */
  failed: boolean
}

/** A list that loads as somebody scrolls: the rows so far, and how to get the others. */
export function useAllRows<Answer, Row>({ options, rowsOf, part }: PagedList<Answer, Row>) {
  const list = useInfiniteQuery(options)
  const { data, error, isPlaceholderData, refetch, isFetchNextPageError } = list
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const rows = useMemo(() => data?.pages.flatMap(rowsOf), [data])
  // Rows of another choice are as many as they were: `hasNextPage` is about the list that is on its way.
  const hasMore =
    isPlaceholderData && data ? options.getNextPageParam(data.pages.at(-1) as Answer, data.pages, 0, []) !== undefined : list.hasNextPage
  return {
    /** The answer with the first rows. */
    first: data?.pages[0],
    /** Undefined while loading. */
    data: rows,
    /** Null if only later rows couldn't be loaded, which the table says. */
    error: isFetchNextPageError ? null : error,
    isPlaceholderData,
    refetch,
    /** @param total the number of all rows; null if unknown */
    moreOf: (total: number | null): MoreRows<Row> => ({
      total,
      hasMore,
      isOutdated: isPlaceholderData,
      load: () => void list.fetchNextPage(),
      failed: isFetchNextPageError,
      part,
    }),
  }
}
