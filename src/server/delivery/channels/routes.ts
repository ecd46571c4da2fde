import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import {
  channelEndpoints as endpoints,
  channelName,
  type ChannelName,
  channelTestEndpoints,
  disconnectEndpoints,
} from '../../../contract/delivery/channels.ts'
import { type AccountsService, type Person, serve } from '../../accounts/service.ts'
import type { ChannelsService } from './service.ts'

export type ChannelsRoutesDeps = {
  channels: ChannelsService
  attempts: AccountsService['attempts']
  /**
   * Sends a real message, even if the channel is off; returns where it went.
   * @throws Refusal 409 without a destination, 502 with the other side's answer
   */
  sendTest(person: Person, channel: ChannelName): Promise<{ to: string }>
}

/** Where messages go, and a test for each channel. Every change returns the state of all of them. */
export const channelsRoutes =
  ({ channels, attempts, sendTest }: ChannelsRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    serve(app, endpoints.list, ({ person }) => channels.of(person))

    serve(app, endpoints.setEmail, async ({ person, body, request }) => {
      await channels.email.set(person, body.address, request.ip)
      return channels.of(person)
    })

    serve(app, endpoints.confirmEmail, async ({ body }) => ({ address: await channels.email.confirm(body.token) }))

    serve(app, endpoints.setSlack, async ({ person, body }) => {
      await channels.slack.set(person, body)
      return channels.of(person)
    })

    serve(app, endpoints.setSms, async ({ person, body, request }) => {
      await channels.sms.ask(person, body.number, request.ip)
      return channels.of(person)
    })

    serve(app, endpoints.confirmSms, async ({ person, body }) => {
      await channels.sms.confirm(person, body.code)
      return channels.of(person)
    })

    serve(app, endpoints.setWebhook, async ({ person, body }) => {
      const secret = await channels.webhook.set(person, body.url)
      return { channels: await channels.of(person), secret }
    })

    serve(app, endpoints.newWebhookSecret, async ({ person }) => {
      const secret = await channels.webhook.newSecret(person)
      return { channels: await channels.of(person), secret }
    })

    for (const channel of ['slack', 'sms', 'webhook'] as const)
      serve(app, disconnectEndpoints[channel], async ({ person }) => {
        await channels.disconnect(person.id, channel)
        return channels.of(person)
      })

    async function test(person: Person, request: FastifyRequest, channel: ChannelName): Promise<{ to: string }> {
      channels.refuseUnoffered(channel, person)
      await attempts.count('testMessage', { account: person.id, address: request.ip })
      return sendTest(person, channel)
    }

    for (const channel of channelName.options)
      serve(app, channelTestEndpoints[channel], ({ person, request }) => test(person, request, channel))

    serve(app, endpoints.testEmailOfAlerts, async ({ person, request }) => ({ email: (await test(person, request, 'email')).to }))
  }
