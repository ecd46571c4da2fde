import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { apiKeyMade, apiKeys, type NewApiKey } from '../../contract/api-keys.ts'
import type { HeldPlan } from '../../contract/user.ts'
import { askFor, send } from './client.ts'

const resource = '/api/keys'

/** The person's keys; what of them is locked depends on the plan. */
export const apiKeysQuery = (plan: HeldPlan) =>
  queryOptions({ queryKey: [resource, plan], queryFn: ({ signal }) => askFor(apiKeys, resource, { signal }) })

export async function reloadApiKeys(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: [resource] })
}

/** Answers the key itself, this once. */
export async function makeApiKey(wanted: NewApiKey): Promise<string> {
  return (await askFor(apiKeyMade, resource, { method: 'POST', body: wanted })).key
}

export async function revokeApiKey(id: string): Promise<void> {
  await send(`${resource}/${id}`, { method: 'DELETE' })
}
