import { queryOptions } from '@tanstack/react-query'
import { siteEndpoints as endpoints } from '../../contract/sites.ts'
import type { User } from '../../contract/user.ts'
import { callOrNull } from './client.ts'

/** The person's properties, fetched from Google: only for connected people. */
export const gscPropertiesQuery = queryOptions({
  queryKey: [endpoints.list.path],
  queryFn: async ({ signal }) => (await callOrNull(endpoints.list, { signal })) ?? [],
})

export async function selectProperty(name: string): Promise<User | null> {
  return (await callOrNull(endpoints.select, { body: { selectedProperty: name } }))?.user ?? null
}

export async function monitorSites(sites: readonly string[]): Promise<User | null> {
  return (await callOrNull(endpoints.monitor, { body: { sites: [...sites] } }))?.user ?? null
}
