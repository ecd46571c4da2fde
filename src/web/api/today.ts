import { queryOptions } from '@tanstack/react-query'
import { todayAnswer } from '../../contract/today.ts'
import { ask } from './client.ts'

const resource = '/api/today'

/** Hours come once an hour: it is looked for a few times in between. */
const lookEveryMs = 10 * 60_000

export function todayQuery(property: string) {
  return queryOptions({
    queryKey: [resource, property],
    queryFn: ({ signal }) => ask(todayAnswer, `${resource}?property=${encodeURIComponent(property)}`, { signal }),
    refetchInterval: lookEveryMs,
  })
}
