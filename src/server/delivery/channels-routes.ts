import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  channelName,
  type ChannelName,
  deliveryChannels,
  emailConfirmation,
  emailConfirmed,
  emailDestination,
  slackDestination,
  smsConfirmation,
  smsDestination,
  testEmailSent,
  testSent,
  webhookDestination,
  webhookSecret,
} from '../../contract/delivery-channels.ts'
import type { AccountsService, Person } from '../accounts/service.ts'
import type { ChannelsService } from './channels-service.ts'

export type ChannelsRoutesDeps = {
  channels: ChannelsService
  attempts: AccountsService['attempts']
  /**
   * Sends a real message, whether or not the channel is on; answers where it went.
   * @throws Refusal 409 when there is no destination, 502 with what the other side said
   */
  sendTest(person: Person, channel: ChannelName): Promise<{ to: string }>
  requirePerson(request: FastifyRequest): Promise<Person>
}

const path = '/api/delivery-channels'

/** `/api/delivery-channels`: where messages go, and a test of each. Every change answers all of them as they are then. */
export const channelsRoutes =
  ({ channels, attempts, sendTest, requirePerson }: ChannelsRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    const response = { 200: deliveryChannels }

    app.get(path, { schema: { response } }, async (request) => channels.of(await requirePerson(request)))

    app.put(`${path}/email`, { schema: { body: emailDestination, response } }, async (request) => {
      const person = await requirePerson(request)
      await channels.email.set(person, request.body.address, request.ip)
      return channels.of(person)
    })

    // For whoever reads the mail of the address, signed in or not: the token is what counts.
    app.post(`${path}/email/confirm`, { schema: { body: emailConfirmation, response: { 200: emailConfirmed } } }, async (request) => ({
      address: await channels.email.confirm(request.body.token),
    }))

    app.put(`${path}/slack`, { schema: { body: slackDestination, response } }, async (request) => {
      const person = await requirePerson(request)
      await channels.slack.set(person, request.body)
      return channels.of(person)
    })

    app.put(`${path}/sms`, { schema: { body: smsDestination, response } }, async (request) => {
      const person = await requirePerson(request)
      await channels.sms.ask(person, request.body.number, request.ip)
      return channels.of(person)
    })

    app.post(`${path}/sms/confirm`, { schema: { body: smsConfirmation, response } }, async (request) => {
      const person = await requirePerson(request)
      await channels.sms.confirm(person, request.body.code)
      return channels.of(person)
    })

    app.put(`${path}/webhook`, { schema: { body: webhookDestination, response: { 200: webhookSecret } } }, async (request) => {
      const person = await requirePerson(request)
      const secret = await channels.webhook.set(person, request.body.url)
      return { channels: await channels.of(person), secret }
    })

    app.post(`${path}/webhook/secret`, { schema: { response: { 200: webhookSecret } } }, async (request) => {
      const person = await requirePerson(request)
      const secret = await channels.webhook.newSecret(person)
      return { channels: await channels.of(person), secret }
    })

    for (const channel of ['slack', 'sms', 'webhook'] as const) {
      app.delete(`${path}/${channel}`, { schema: { response } }, async (request) => {
        const person = await requirePerson(request)
        await channels.disconnect(person.id, channel)
        return channels.of(person)
      })
    }

    async function test(request: FastifyRequest, channel: ChannelName): Promise<{ to: string }> {
      const person = await requirePerson(request)
      channels.refuseUnoffered(channel, person)
      await attempts.count('testMessage', { account: person.id, address: request.ip })
      return sendTest(person, channel)
    }

    for (const channel of channelName.options)
      app.post(`${path}/${channel}/test`, { schema: { response: { 200: testSent } } }, (request) => test(request, channel))

    app.post('/api/alerts/test-email', { schema: { response: { 200: testEmailSent } } }, async (request) => ({
      email: (await test(request, 'email')).to,
    }))
  }
