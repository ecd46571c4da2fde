import type { FastifyPluginAsync } from 'fastify'
import { billingEndpoints } from '../../contract/billing.ts'
import { serve } from '../accounts/service.ts'
import { Refusal } from '../common/errors.ts'
import type { BillingService } from './service.ts'

/** Stripe's servers speak here, without session or Origin; what makes a message theirs is its signature, which is over the body's bytes. */
export const webhookRoute =
  ({ billing }: { billing: BillingService }): FastifyPluginAsync =>
  async (app) => {
    // Holds for this plugin alone; every other route keeps reading JSON.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    serve(app, billingEndpoints.webhook, async ({ request: { headers, body } }) => {
      const signature = headers['stripe-signature']
      if (typeof signature !== 'string' || !Buffer.isBuffer(body)) throw new Refusal(400, "This message isn't signed.")
      await billing.webhook(body, signature)
      return { received: true as const }
    })
  }
