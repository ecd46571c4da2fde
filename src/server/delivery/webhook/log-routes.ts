import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { webhookDeliveries, webhookDeliveriesQuery, webhookDeliveryInFull, webhookDeliveryParams } from '../../../contract/webhook-log.ts'
import type { AccountsService, Person } from '../../accounts/service.ts'
import type { WebhookLog } from './log.ts'

export type WebhookLogRoutesDeps = {
  webhookLog: WebhookLog
  attempts: AccountsService['attempts']
  requirePerson(request: FastifyRequest): Promise<Person>
}

const path = '/api/webhook-deliveries'

/** What a person's server was sent and answered; also on a plan that sends nothing any more. */
export const webhookLogRoutes =
  ({ webhookLog, attempts, requirePerson }: WebhookLogRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(path, { schema: { querystring: webhookDeliveriesQuery, response: { 200: webhookDeliveries } } }, async (request) =>
      webhookLog.list(await requirePerson(request), request.query),
    )

    const schema = { params: webhookDeliveryParams, response: { 200: webhookDeliveryInFull } }
    app.get(`${path}/:id`, { schema }, async (request) => webhookLog.one(await requirePerson(request), request.params.id))

    app.post(`${path}/:id/resend`, { schema }, async (request) => {
      const person = await requirePerson(request)
      await attempts.count('resend', { account: person.id, address: request.ip })
      return webhookLog.resend(person, request.params.id)
    })
  }
