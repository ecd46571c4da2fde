import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import {
  channelEndpoints,
  type ChannelName,
  channelTestEndpoints,
  type DeliveryChannels,
  disconnectEndpoints,
  type slackDestination,
  type unsubscribeAnswer,
  unsubscribeEndpoints,
  type webhookSecret,
} from '../../contract/delivery/channels.ts'
import { deliveryEndpoints, type DeliverySettings, type DeliverySettingsChange } from '../../contract/delivery/delivery.ts'
import { type WebhookDeliveryInFull, webhookLogEndpoints } from '../../contract/delivery/webhook-log.ts'
import type { HeldPlan } from '../../contract/user.ts'
import { call } from './client.ts'

const deliveryKey = [deliveryEndpoints.read.path]

/** The settings in force under a plan, and so specific to it; null until some are saved. */
export const deliveryQuery = (plan: HeldPlan) =>
  queryOptions({ queryKey: [...deliveryKey, plan], queryFn: ({ signal }) => call(deliveryEndpoints.read, { signal }) })

export const reloadDelivery = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: deliveryKey })

export const createDelivery = (settings: DeliverySettingsChange): Promise<DeliverySettings> =>
  call(deliveryEndpoints.create, { body: settings })

export const changeDelivery = (change: DeliverySettingsChange): Promise<DeliverySettings> =>
  call(deliveryEndpoints.change, { body: change })

const channelsKey = [channelEndpoints.list.path]

/** Where messages go; the plan determines which channels are locked. */
export const channelsQuery = (plan: HeldPlan) =>
  queryOptions({ queryKey: [...channelsKey, plan], queryFn: ({ signal }) => call(channelEndpoints.list, { signal }) })

export const reloadChannels = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: channelsKey })

/** Null: the account's own. Any other address is asked for consent by email. */
export const setEmailAddress = (address: string | null): Promise<DeliveryChannels> => call(channelEndpoints.setEmail, { body: { address } })

export const connectSlack = (destination: z.infer<typeof slackDestination>): Promise<DeliveryChannels> =>
  call(channelEndpoints.setSlack, { body: destination })

/** Sends the number a code. */
export const setNumber = (number: string): Promise<DeliveryChannels> => call(channelEndpoints.setSms, { body: { number } })

export const confirmNumber = (code: string): Promise<DeliveryChannels> => call(channelEndpoints.confirmSms, { body: { code } })

type WithSecret = z.infer<typeof webhookSecret>
/** Returns the secret, only this once. */
export const connectWebhook = (url: string): Promise<WithSecret> => call(channelEndpoints.setWebhook, { body: { url } })

export const newWebhookSecret = (): Promise<WithSecret> => call(channelEndpoints.newWebhookSecret)

export const disconnectChannel = (channel: Exclude<ChannelName, 'email'>): Promise<DeliveryChannels> => call(disconnectEndpoints[channel])

/** Sends a real message; returns where it went. */
export const testChannel = async (channel: ChannelName): Promise<string> => (await call(channelTestEndpoints[channel])).to

export const testEmail = async (): Promise<string> => (await call(channelEndpoints.testEmailOfAlerts)).email

/** Returns the confirmed address. */
export const confirmEmailAddress = async (token: string): Promise<string> =>
  (await call(channelEndpoints.confirmEmail, { body: { token } })).address

/** Whose alert emails an emailed link would stop, and whether they are still sent. */
export function mailSubscriptionQuery(token: string) {
  return queryOptions({
    queryKey: [unsubscribeEndpoints.read.path, token],
    queryFn: ({ signal }) => call(unsubscribeEndpoints.read, { query: { token }, signal }),
    gcTime: 0,
  })
}

export const stopAlertMails = (token: string): Promise<z.infer<typeof unsubscribeAnswer>> =>
  call(unsubscribeEndpoints.stop, { query: { token } })

const webhookLogPath = webhookLogEndpoints.list.path
const againMillis = 3_000

/** Messages posted to the person's server, latest first; polled while any is under way. */
export const webhookLogQuery = infiniteQueryOptions({
  queryKey: [webhookLogPath, 'list'],
  queryFn: ({ signal, pageParam }) => call(webhookLogEndpoints.list, { query: { before: pageParam ?? undefined }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ deliveries, more }) => (more ? (deliveries.at(-1)?.id ?? null) : null),
  refetchInterval: ({ state }) =>
    state.data?.pages.some(({ deliveries }) => deliveries.some(({ state: at }) => at === 'waiting')) ? againMillis : false,
})

/** One of them with its content. */
export const webhookDeliveryQuery = (id: string) =>
  queryOptions({
    queryKey: [webhookLogPath, 'one', id],
    queryFn: ({ signal }) => call(webhookLogEndpoints.read, { params: { id }, signal }),
  })

export const resendWebhook = (id: string): Promise<WebhookDeliveryInFull> => call(webhookLogEndpoints.resend, { params: { id } })

export async function reloadWebhookLog(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: [webhookLogPath] })
}
