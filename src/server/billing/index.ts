import type { FastifyPluginAsync } from 'fastify'
import { billingEndpoints } from '../../contract/billing.ts'
import type { GrantAsked } from '../../contract/machine.ts'
import { type AccountsService, serve } from '../accounts/service.ts'
import type { Capability } from '../common/capability.ts'
import { Refusal } from '../common/errors.ts'
import { jsonFile } from '../common/export-file.ts'
import type { Foundation } from '../common/foundation.ts'
import type { SitesService } from '../sites/service.ts'
import { grantPlan } from './grant.ts'
import { billingJobs, defineBillingQueues, workOnBilling } from './jobs.ts'
import { type BillingRoutesDeps, billingRoutes } from './routes.ts'
import { type BillingService, createBillingService } from './service.ts'

/** For Stripe's servers, without session or Origin; the signature over the body's bytes authenticates a message. */
const webhookRoute =
  ({ billing }: { billing: BillingService }): FastifyPluginAsync =>
  async (app) => {
    // For this plugin only; every other route keeps parsing JSON.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    serve(
      app,
      billingEndpoints.webhook,
      async ({ request: { headers, body } }) => {
        const signature = headers['stripe-signature']
        if (typeof signature !== 'string' || !Buffer.isBuffer(body)) throw new Refusal(400, "This message isn't signed.")
        await billing.webhook(body, signature)
        return { received: true as const }
      },
      { limit: { unlimited: 'Stripe sends as many as there are payments; the signature is checked first' } },
    )
  }

type BillingDeps = Pick<Foundation, 'config' | 'db' | 'queue' | 'events' | 'mailer' | 'baseUrl' | 'clock' | 'log'> & {
  accounts: AccountsService
  sites: SitesService
  describe: BillingRoutesDeps['describe']
}

/** Plans, payments for them, and the resulting site limits; or, if nothing is sold, just the limits. */
export async function createBilling(deps: BillingDeps) {
  const { config, db, queue, events, accounts, sites, clock, describe } = deps
  const { offer, stripe } = config
  await defineBillingQueues(queue)
  const jobs = billingJobs(queue)
  const billing = createBillingService({
    ...deps,
    offer,
    stripe,
    jobs,
    pausedSites: async (userId) => (await sites.list(userId)).filter((property) => property.paused).map((property) => property.name),
  })
  events.on('planChanged', ({ userId }) => sites.fitToLimit(userId))
  events.on('accountDeleting', (deletion) => billing.accountDeleting(deletion))

  const capability: Capability = {
    routes: [
      ...(offer.billing === 'stripe' ? [billingRoutes({ accounts, billing, describe })] : []),
      // Subscriptions sold before continue at Stripe until somebody ends them there.
      ...(stripe ? [webhookRoute({ billing })] : []),
    ],
    /** First applies any setting changed since the last start. */
    async work() {
      await sites.fitAll()
      if (offer.billing === 'off') await billing.warnOfSold()
      await workOnBilling(queue, billing)
    },
    exported: [
      async (userId) => {
        const paid = await billing.exportOf(userId)
        const nothing = offer.billing === 'off' && paid.customerId === null
        return nothing ? [] : [jsonFile('subscription.json', 'Your subscription.', paid)]
      },
    ],
  }
  /** `npm run grant` */
  const grant = (asked: GrantAsked) => grantPlan({ db, announce: jobs.announce, offer, clock }, asked)
  return { billing, grant, capability }
}
