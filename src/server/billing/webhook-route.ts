import type { FastifyPluginAsync } from 'fastify'
import { Refusal } from '../common/errors.ts'
import type { BillingService } from './service.ts'

/**
 * `POST /api/stripe/webhook`: Stripe's servers speak here, without session or Origin; what makes a
 * message theirs is its signature, which is over the body's bytes.
 */
export const webhookRoute =
  ({ billing }: { billing: BillingService }): FastifyPluginAsync =>
  async (app) => {
    // Holds for this plugin alone; every other route keeps reading JSON.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    app.post('/api/stripe/webhook', async (request) => {
      const signature = request.headers['stripe-signature']
      if (typeof signature !== 'string' || !Buffer.isBuffer(request.body)) throw new Refusal(400, "This message isn't signed.")
      await billing.webhook(request.body, signature)
      return { received: true }
    })
  }
