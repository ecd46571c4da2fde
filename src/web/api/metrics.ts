import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { metricsRead } from '../../contract/metrics.ts'
import { ask } from './client.ts'

const resource = '/api/metrics'

/** An answer that is no object means that there is nothing to show yet. */
const metricsReply = z.union([metricsRead, z.union([z.array(z.unknown()), z.string(), z.number(), z.boolean()]).transform(() => null)])

export function metricsQuery(property: string) {
  return queryOptions({
    queryKey: [resource, property],
    queryFn: ({ signal }) => ask(metricsReply, `${resource}?property=${encodeURIComponent(property)}`, { signal }),
    // The figures of the property before stay, dimmed, until the new ones are there.
    placeholderData: keepPreviousData,
  })
}

export async function reloadMetrics(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: [resource] })
}
