import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import { metricsEndpoints as endpoints } from '../../contract/metrics.ts'
import { call } from './client.ts'

const key = [endpoints.read.path]

export function metricsQuery(property: string) {
  return queryOptions({
    queryKey: [...key, property],
    queryFn: ({ signal }) => call(endpoints.read, { query: { property }, signal }),
    // The figures of the property before stay, dimmed, until the new ones are there.
    placeholderData: keepPreviousData,
  })
}

export const reloadMetrics = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: key })
