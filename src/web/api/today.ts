import { queryOptions } from '@tanstack/react-query'
import { todayEndpoints as endpoints } from '../../contract/today.ts'
import { callOrNull } from './client.ts'

/** Hours come once an hour: it is looked for a few times in between. */
const lookEveryMs = 10 * 60_000

export function todayQuery(property: string) {
  return queryOptions({
    queryKey: [endpoints.read.path, property],
    queryFn: ({ signal }) => callOrNull(endpoints.read, { query: { property }, signal }),
    refetchInterval: lookEveryMs,
  })
}
