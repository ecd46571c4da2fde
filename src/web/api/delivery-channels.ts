import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import {
  channelEndpoints as endpoints,
  type ChannelName,
  channelTestEndpoints,
  type DeliveryChannels,
  disconnectEndpoints,
  type slackDestination,
  type unsubscribeAnswer,
  unsubscribeEndpoints,
  type webhookSecret,
} from '../../contract/delivery-channels.ts'
import type { HeldPlan } from '../../contract/user.ts'
import { call } from './client.ts'

const key = [endpoints.list.path]

/** Where messages go; what of it is locked depends on the plan. */
export const channelsQuery = (plan: HeldPlan) =>
  queryOptions({ queryKey: [...key, plan], queryFn: ({ signal }) => call(endpoints.list, { signal }) })

export const reloadChannels = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: key })

/** Null: the account's own. Another address is asked by mail whether it wants to be one. */
export const setEmailAddress = (address: string | null): Promise<DeliveryChannels> => call(endpoints.setEmail, { body: { address } })

export const connectSlack = (destination: z.infer<typeof slackDestination>): Promise<DeliveryChannels> =>
  call(endpoints.setSlack, { body: destination })

/** Sends a code to the number. */
export const setNumber = (number: string): Promise<DeliveryChannels> => call(endpoints.setSms, { body: { number } })

export const confirmNumber = (code: string): Promise<DeliveryChannels> => call(endpoints.confirmSms, { body: { code } })

type WithSecret = z.infer<typeof webhookSecret>
/** Answers the secret, which is told this once. */
export const connectWebhook = (url: string): Promise<WithSecret> => call(endpoints.setWebhook, { body: { url } })

export const newWebhookSecret = (): Promise<WithSecret> => call(endpoints.newWebhookSecret)

export const disconnectChannel = (channel: Exclude<ChannelName, 'email'>): Promise<DeliveryChannels> => call(disconnectEndpoints[channel])

/** Sends a real message; answers where it went. */
export const testChannel = async (channel: ChannelName): Promise<string> => (await call(channelTestEndpoints[channel])).to

export const testEmail = async (): Promise<string> => (await call(endpoints.testEmailOfAlerts)).email

/** Answers the address that was confirmed. */
export const confirmEmailAddress = async (token: string): Promise<string> =>
  (await call(endpoints.confirmEmail, { body: { token } })).address

/** Whose alert mails a link of one of them would stop, and whether they still come. */
export function mailSubscriptionQuery(token: string) {
  return queryOptions({
    queryKey: [unsubscribeEndpoints.read.path, token],
    queryFn: ({ signal }) => call(unsubscribeEndpoints.read, { query: { token }, signal }),
    gcTime: 0,
  })
}

export const stopAlertMails = (token: string): Promise<z.infer<typeof unsubscribeAnswer>> =>
  call(unsubscribeEndpoints.stop, { query: { token } })
