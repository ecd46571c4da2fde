import type { FastifyPluginAsync } from 'fastify'
import { webhookLogEndpoints as endpoints } from '../../../contract/delivery/webhook-log.ts'
import { type AccountsService, serve } from '../../accounts/service.ts'
import type { WebhookLog } from './log.ts'

export type WebhookLogRoutesDeps = { webhookLog: WebhookLog; attempts: AccountsService['attempts'] }

/** What a person's server received and answered; also on a plan that no longer sends anything. */
export const webhookLogRoutes =
  ({ webhookLog, attempts }: WebhookLogRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    serve(app, endpoints.list, ({ person, query }) => webhookLog.list(person, query))
    serve(app, endpoints.read, ({ person, params }) => webhookLog.one(person, params.id))
    serve(app, endpoints.resend, async ({ person, params, request }) => {
      await attempts.count('resend', { account: person.id, address: request.ip })
      return webhookLog.resend(person, params.id)
    })
  }
