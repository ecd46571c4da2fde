import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { metricsEndpoints } from '../../contract/metrics.ts'
import { todayEndpoints } from '../../contract/today.ts'
import { call, callOrNull } from './client.ts'

const key = [metricsEndpoints.read.path]

export function metricsQuery(property: string, segment = '') {
  return queryOptions({
    queryKey: [...key, property, segment],
    queryFn: ({ signal }) => call(metricsEndpoints.read, { query: { property, ...(segment !== '' && { segment }) }, signal }),
    // The previous property's figures stay, dimmed, until the new ones arrive.
    placeholderData: keepPreviousData,
  })
}

export const reloadMetrics = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: key })

/** Hours arrive once an hour; this checks a few times in between. */
const lookEveryMs = 10 * 60_000

export function todayQuery(property: string) {
  return queryOptions({
    queryKey: [todayEndpoints.read.path, property],
    queryFn: ({ signal }) => callOrNull(todayEndpoints.read, { query: { property }, signal }),
    refetchInterval: lookEveryMs,
  })
}
