import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { AccountsService, Person } from './accounts/service.ts'
import { type GrantAsked, grantPlan } from './billing/grant.ts'
import { billingJobs, defineBillingQueues, workOnBilling } from './billing/jobs.ts'
import { billingRoutes } from './billing/routes.ts'
import { type BillingService, createBillingService } from './billing/service.ts'
import { webhookRoute } from './billing/webhook-route.ts'
import type { Config } from './config.ts'
import type { Db } from './database/open.ts'
import type { EventBus } from './common/events.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Clock } from './platform/clock.ts'
import type { Log } from './platform/log.ts'
import type { Queue } from './platform/queue.ts'
import { describePerson } from './sites/person-view.ts'
import type { SitesService } from './sites/service.ts'

type BillingPartsDeps = {
  config: Config
  db: Db
  queue: Queue
  events: EventBus
  accounts: AccountsService
  sites: SitesService
  mailer: Mailer
  baseUrl: () => string
  clock: Clock
  log: Log
  requirePerson(request: FastifyRequest): Promise<Person>
}

export type BillingParts = {
  billing: BillingService
  /** `npm run grant` */
  grant(asked: GrantAsked): Promise<string>
  routes: readonly FastifyPluginAsync[]
  /** Follows what was paid, in this process; first of all, a setting that is another one than at the last start. */
  work(): Promise<void>
}

/** Plans, what is paid for them, and how many sites people may have for it; or, where nothing is sold, the latter alone. */
export async function createBilling(deps: BillingPartsDeps): Promise<BillingParts> {
  const { config, db, queue, events, accounts, sites, clock, requirePerson } = deps
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

  const describe = (person: Person) => describePerson(sites, person, config.demo)
  return {
    billing,
    grant: (asked) => grantPlan({ db, announce: jobs.announce, offer, clock }, asked),
    routes: [
      ...(offer.billing === 'stripe' ? [billingRoutes({ accounts, billing, requirePerson, describe })] : []),
      // What was sold before goes on at Stripe until somebody ends it there.
      ...(stripe ? [webhookRoute({ billing })] : []),
    ],
    async work() {
      await sites.fitAll()
      if (offer.billing === 'off') await billing.warnOfSold()
      await workOnBilling(queue, billing)
    },
  }
}
