import { queryOptions } from '@tanstack/react-query'
import { gscProperties, selectAnswer } from '../../contract/sites.ts'
import type { User } from '../../contract/user.ts'
import { ask } from './client.ts'

/** The person's properties, asked of Google: only for someone who is connected. */
export const gscPropertiesQuery = queryOptions({
  queryKey: ['/api/gsc-properties'],
  queryFn: async ({ signal }) => (await ask(gscProperties, '/api/gsc-properties', { signal })) ?? [],
})

export async function selectProperty(name: string): Promise<User | null> {
  const answer = await ask(selectAnswer, '/api/gsc-properties/select', { method: 'POST', body: { selectedProperty: name } })
  return answer?.user ?? null
}

export async function monitorSites(sites: readonly string[]): Promise<User | null> {
  const answer = await ask(selectAnswer, '/api/gsc-properties/monitor', { method: 'POST', body: { sites } })
  return answer?.user ?? null
}
