import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query'
import { type WebhookDeliveryInFull, webhookLogEndpoints as endpoints } from '../../contract/webhook-log.ts'
import { call } from './client.ts'

const resource = endpoints.list.path
const againMillis = 3_000

/** What was posted to the person's server, the latest first; looked at again while something is on its way. */
export const webhookLogQuery = infiniteQueryOptions({
  queryKey: [resource, 'list'],
  queryFn: ({ signal, pageParam }) => call(endpoints.list, { query: { before: pageParam ?? undefined }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ deliveries, more }) => (more ? (deliveries.at(-1)?.id ?? null) : null),
  refetchInterval: ({ state }) =>
    state.data?.pages.some(({ deliveries }) => deliveries.some(({ state: at }) => at === 'waiting')) ? againMillis : false,
})

/** One of them with what it says. */
export const webhookDeliveryQuery = (id: string) =>
  queryOptions({
    queryKey: [resource, 'one', id],
    queryFn: ({ signal }) => call(endpoints.read, { params: { id }, signal }),
  })

export const resendWebhook = (id: string): Promise<WebhookDeliveryInFull> => call(endpoints.resend, { params: { id } })

export async function reloadWebhookLog(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: [resource] })
}
