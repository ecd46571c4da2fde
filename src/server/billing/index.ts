import type { AccountsService } from '../accounts/service.ts'
import type { Capability } from '../common/capability.ts'
import { jsonFile } from '../common/export-file.ts'
import type { Foundation } from '../common/foundation.ts'
import type { SitesService } from '../sites/service.ts'
import type { GrantAsked } from '../../contract/machine.ts'
import { grantPlan } from './grant.ts'
import { billingJobs, defineBillingQueues, workOnBilling } from './jobs.ts'
import { billingRoutes, type BillingRoutesDeps } from './routes.ts'
import { createBillingService } from './service.ts'
import { webhookRoute } from './webhook-route.ts'

type BillingDeps = Pick<Foundation, 'config' | 'db' | 'queue' | 'events' | 'mailer' | 'baseUrl' | 'clock' | 'log'> & {
  accounts: AccountsService
  sites: SitesService
  describe: BillingRoutesDeps['describe']
}

/** Plans, what is paid for them, and how many sites people may have for it; or, where nothing is sold, the latter alone. */
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
      // What was sold before goes on at Stripe until somebody ends it there.
      ...(stripe ? [webhookRoute({ billing })] : []),
    ],
    /** First of all, it applies a setting that changed since the last start. */
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
