import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import {
  deliveryChannels,
  emailConfirmed,
  testEmailSent,
  testSent,
  unsubscribeAnswer,
  webhookSecret,
  type ChannelName,
  type DeliveryChannels,
  type slackDestination,
} from '../../contract/delivery-channels.ts'
import type { HeldPlan } from '../../contract/user.ts'
import { askFor } from './client.ts'

const resource = '/api/delivery-channels'
const subscription = '/api/unsubscribe'

/** Where messages go; what of it is locked depends on the plan. */
export function channelsQuery(plan: HeldPlan) {
  return queryOptions({
    queryKey: [resource, plan],
    queryFn: ({ signal }) => askFor(deliveryChannels, resource, { signal }),
  })
}

export async function reloadChannels(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: [resource] })
}

const put = (channel: ChannelName, body: object): Promise<DeliveryChannels> =>
  askFor(deliveryChannels, `${resource}/${channel}`, { method: 'PUT', body })

/** Null: the account's own. Another address is asked by mail whether it wants to be one. */
export const setEmailAddress = (address: string | null): Promise<DeliveryChannels> => put('email', { address })

export const connectSlack = (destination: z.infer<typeof slackDestination>): Promise<DeliveryChannels> => put('slack', destination)

/** Sends a code to the number. */
export const setNumber = (number: string): Promise<DeliveryChannels> => put('sms', { number })

export const confirmNumber = (code: string): Promise<DeliveryChannels> =>
  askFor(deliveryChannels, `${resource}/sms/confirm`, { method: 'POST', body: { code } })

type WithSecret = z.infer<typeof webhookSecret>
/** Answers the secret, which is told this once. */
export const connectWebhook = (url: string): Promise<WithSecret> =>
  askFor(webhookSecret, `${resource}/webhook`, { method: 'PUT', body: { url } })

export const newWebhookSecret = (): Promise<WithSecret> => askFor(webhookSecret, `${resource}/webhook/secret`, { method: 'POST' })

export const disconnectChannel = (channel: Exclude<ChannelName, 'email'>): Promise<DeliveryChannels> =>
  askFor(deliveryChannels, `${resource}/${channel}`, { method: 'DELETE' })

/** Sends a real message; answers where it went. */
export const testChannel = async (channel: ChannelName): Promise<string> =>
  (await askFor(testSent, `${resource}/${channel}/test`, { method: 'POST' })).to

export const testEmail = async (): Promise<string> => (await askFor(testEmailSent, '/api/alerts/test-email', { method: 'POST' })).email

/** Answers the address that was confirmed. */
export const confirmEmailAddress = async (token: string): Promise<string> =>
  (await askFor(emailConfirmed, `${resource}/email/confirm`, { method: 'POST', body: { token } })).address

const subscriptionOf = (token: string): string => `${subscription}?token=${encodeURIComponent(token)}`

/** Whose alert mails a link of one of them would stop, and whether they still come. */
export function mailSubscriptionQuery(token: string) {
  return queryOptions({
    queryKey: [subscription, token],
    queryFn: ({ signal }) => askFor(unsubscribeAnswer, subscriptionOf(token), { signal }),
    gcTime: 0,
  })
}

export const stopAlertMails = (token: string): Promise<z.infer<typeof unsubscribeAnswer>> =>
  askFor(unsubscribeAnswer, subscriptionOf(token), { method: 'POST' })
