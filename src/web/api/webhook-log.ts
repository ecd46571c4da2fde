import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query'
import { webhookDeliveries, webhookDeliveryInFull, type WebhookDeliveryInFull } from '../../contract/webhook-log.ts'
import { askFor } from './client.ts'

const resource = '/api/webhook-deliveries'
const againMillis = 3_000

/** What was posted to the person's server, the latest first; looked at again while something is on its way. */
export const webhookLogQuery = infiniteQueryOptions({
  queryKey: [resource, 'list'],
  queryFn: ({ signal, pageParam }) =>
    askFor(webhookDeliveries, pageParam === null ? resource : `${resource}?before=${encodeURIComponent(pageParam)}`, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ deliveries, more }) => (more ? (deliveries.at(-1)?.id ?? null) : null),
  refetchInterval: ({ state }) =>
    state.data?.pages.some(({ deliveries }) => deliveries.some(({ state: at }) => at === 'waiting')) ? againMillis : false,
})

/** One of them with what it says. */
export const webhookDeliveryQuery = (id: string) =>
  queryOptions({
    queryKey: [resource, 'one', id],
    queryFn: ({ signal }) => askFor(webhookDeliveryInFull, `${resource}/${encodeURIComponent(id)}`, { signal }),
  })

export const resendWebhook = (id: string): Promise<WebhookDeliveryInFull> =>
  askFor(webhookDeliveryInFull, `${resource}/${encodeURIComponent(id)}/resend`, { method: 'POST' })

export async function reloadWebhookLog(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: [resource] })
}
