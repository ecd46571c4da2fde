import { queryOptions } from '@tanstack/react-query'
import { todayEndpoints } from '../../contract/today.ts'
import { callOrNull } from './client.ts'

/** Hours arrive once an hour; this checks a few times in between. */
const lookEveryMs = 10 * 60_000

export function todayQuery(property: string) {
  return queryOptions({
    queryKey: [todayEndpoints.read.path, property],
    queryFn: ({ signal }) => callOrNull(todayEndpoints.read, { query: { property }, signal }),
    refetchInterval: lookEveryMs,
  })
}
