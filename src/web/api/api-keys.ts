import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { apiKeyEndpoints as endpoints, type NewApiKey } from '../../contract/api-keys.ts'
import type { HeldPlan } from '../../contract/user.ts'
import { call } from './client.ts'

const key = [endpoints.list.path]

/** The person's keys; what of them is locked depends on the plan. */
export const apiKeysQuery = (plan: HeldPlan) =>
  queryOptions({ queryKey: [...key, plan], queryFn: ({ signal }) => call(endpoints.list, { signal }) })

export const reloadApiKeys = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: key })

/** Answers the key itself, this once. */
export const makeApiKey = async (wanted: NewApiKey): Promise<string> => (await call(endpoints.make, { body: wanted })).key

export const revokeApiKey = (id: string): Promise<void> => call(endpoints.revoke, { params: { id } })
