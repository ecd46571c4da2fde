import type { ChangeAnswer, ChangePreview, Subscription } from '../../contract/billing.ts'
import type { PaidPlan, PlanId } from '../../contract/user.ts'
import { bestPlan, isLive, planInForce } from '../../core/billing/in-force.ts'
import type { Offer } from '../../core/billing/offer.ts'
import { isUpgrade, plans } from '../../core/billing/plans.ts'
import type { AccountsService, Person } from '../accounts/service.ts'
import { Refusal } from '../common/errors.ts'
import type { EventBus } from '../common/events.ts'
import type { Config } from '../config.ts'
import type { Db } from '../database/open.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { CountStart } from './checkout.ts'
import type { BillingJobs } from './jobs.ts'
import { type Payment, createPayment } from './payment.ts'
import { type Change, type BillingEmail, type Snapshot, createBillingStore } from './store.ts'

/** After this time, Stripe gives up a subscription without a first payment. */
const payableMs = 23 * 3_600_000

/** Somebody's subscription as last read. */
function subscriptionView(
  { plan, granted }: { plan: PlanId; granted: PaidPlan | null },
  subscriptions: readonly Snapshot[],
  checkout: Subscription['checkout'],
  now: Date,
): Subscription {
  const best = bestPlan(subscriptions)
  const live = subscriptions.find((each) => isLive(each) && each.plan === best)
  if (live) {
    return {
      plan,
      status: live.status === 'past_due' ? 'past_due' : 'active',
      begunPlan: null,
      currentPeriodEnd: live.currentPeriodEnd?.toISOString() ?? null,
      nextPlan: live.nextPlan && planInForce(granted, [{ plan: live.nextPlan, status: 'active' }]),
      card: live.card,
      checkout,
    }
  }
  const begun = subscriptions.findLast(
    ({ status, createdAt }) => status === 'incomplete' && createdAt.getTime() + payableMs > now.getTime(),
  )
  const status = begun ? 'incomplete' : 'none'
  return { plan, status, begunPlan: begun?.plan ?? null, currentPeriodEnd: null, nextPlan: null, card: null, checkout }
}

type BillingEmailsDeps = {
  accounts: Pick<AccountsService, 'person'>
  mailer: Mailer
  /** The names of somebody's sites beyond their plan. */
  pausedSites: (userId: string) => Promise<string[]>
}

export type BillingDeps = BillingEmailsDeps & {
  db: Db
  offer: Offer
  /** Undefined: no keys configured, so nothing can have been paid. */
  stripe: Config['stripe']
  events: EventBus
  jobs: BillingJobs
  /** This server's URL for browsers. */
  baseUrl: () => string
  clock: Clock
  log: Log
}

/** A person's plan and their payments for it. */
export function createBillingService(deps: BillingDeps) {
  const { events, jobs, clock, log } = deps
  const store = createBillingStore(deps.db)
  const write = createBillingEmails(deps)
  const held = deps.stripe && createPayment({ ...deps, stripe: deps.stripe, store, announce: jobs.announce })

  /** Without keys, requests only get this far if plans are sold (config.ts). */
  function payment(): Payment {
    if (!held) throw new Error('This requires Stripe keys')
    return held
  }

  /** @throws Refusal 409 if they were granted an equally good plan: they would pay for nothing */
  async function refuseGranted(userId: string, plan: PlanId): Promise<void> {
    const granted = await store.grantedTo(userId)
    if (granted === null || isUpgrade(granted, plan)) return
    throw new Refusal(409, `Your ${plans[granted].name} plan was given to you, so there's nothing to pay. To give it up, choose Free.`)
  }

  /** Free needs no payment. A paid plan runs to the end of its period; a granted one ends now. */
  async function chooseFree(userId: string): Promise<void> {
    await store.noteChoice(userId, clock.now())
    await payment().end(userId)
    const change = await store.grant(userId, { granted: null, by: 'owner' }, clock.now(), jobs.announce)
    if (change && change.from !== change.to) await events.emit('planChanged', change)
  }

  return {
    subscription: async ({ id, plan }: Pick<Person, 'id' | 'plan'>): Promise<Subscription> => {
      const [subscriptions, granted] = await Promise.all([store.subscriptionsOf(id), store.grantedTo(id)])
      return subscriptionView({ plan: plan ?? 'free', granted }, subscriptions, payment().checkout, clock.now())
    },

    /** Chooses a plan for the first time, or after the last one ended. Paid plans: returns the payment form's secret. */
    async choose(
      person: Pick<Person, 'id' | 'email'>,
      plan: PlanId,
      countStart: CountStart,
    ): Promise<{ clientSecret: string } | { success: true }> {
      if (plan === 'free') {
        await chooseFree(person.id)
        return { success: true }
      }
      await refuseGranted(person.id, plan)
      const clientSecret = await payment().begin(person, plan, countStart)
      return clientSecret === null ? { success: true } : { clientSecret }
    },

    /** @throws Refusal 409 for a granted plan, 502 if Stripe fails */
    preview: async (userId: string, plan: PlanId): Promise<ChangePreview> => {
      if (plan !== 'free') await refuseGranted(userId, plan)
      const { price } = plans[plan]
      return (await payment().preview(userId, plan)) ?? { takesEffect: 'now', dueNow: price, price, at: null }
    },

    /** From one paid plan to another, or to Free. @throws Refusal 409 if the card is declined, in Stripe's words */
    async change(userId: string, plan: PlanId): Promise<Pick<ChangeAnswer, 'outcome' | 'clientSecret'>> {
      if (plan !== 'free') await refuseGranted(userId, plan)
      const outcome = await payment().change(userId, plan)
      if (outcome) return outcome
      if (plan !== 'free') throw new Refusal(409, 'You have no paid plan to change. Choose a plan and pay for it first.')
      await chooseFree(userId)
      return { outcome: 'changed', clientSecret: null }
    },

    /** Cancels a planned downgrade or cancellation. */
    resume: (userId: string): Promise<void> => payment().resume(userId),

    /** Asks Stripe for the current state: an installation on a private address gets no webhooks. */
    refresh: async (userId: string): Promise<void> => {
      await held?.refresh(userId)
    },

    portal: (userId: string): Promise<string> => payment().portal(userId, `${deps.baseUrl()}/settings`),

    webhook: (body: Buffer, signature: string): Promise<void> => payment().webhook(body, signature),

    /** Informs everyone concerned about a change; may do so twice. */
    async announce({ userId, from, to, letters: emails }: Change): Promise<void> {
      if (from !== to) await events.emit('planChanged', { userId, from, to })
      // Subscriptions sold before continue at Stripe, but there is nothing here anymore to look up or change.
      if (deps.offer.billing === 'stripe') for (const email of emails) await write(userId, email)
    },

    read: async (userId: string): Promise<void> => {
      await held?.read(userId)
    },

    /** Over the next hours, rereads everyone whose plan could be wrong because of a lost webhook. */
    async review(): Promise<void> {
      const now = clock.now()
      const monthAgo = new Date(now.getTime() - 35 * 86_400_000)
      await store.forgetEvents(monthAgo)
      if (held) await jobs.readAll(await store.customersSince(monthAgo), now)
    },

    /** If nothing is sold anymore, Stripe keeps charging for earlier sales: only the operator can end that. */
    async warnOfSold(): Promise<void> {
      const paying = await store.paying()
      if (paying > 0) log.warn({ people: paying }, 'BILLING=off, but people still pay through Stripe: end their subscriptions there')
    },

    /** An account is being deleted: its subscriptions end at once and its customer is deleted, as soon as Stripe answers. */
    async accountDeleting({ userId, transaction }: { userId: string; transaction: Db }): Promise<void> {
      const customerId = await store.takeCustomer(userId, transaction)
      if (customerId !== null) await jobs.forget(customerId, transaction)
    },

    forget: (customerId: string): Promise<void> => payment().forget(customerId),

    /** Stored data about somebody's payments, for "Export my data". */
    async exportOf(userId: string): Promise<{ customerId: string | null; subscriptions: object[] }> {
      const [customerId, subscriptions] = await Promise.all([store.customerOf(userId), store.subscriptionsOf(userId)])
      return { customerId, subscriptions }
    },
  }
}
export type BillingService = ReturnType<typeof createBillingService>

/** Emails somebody about their plan; nobody if the account is gone, or its address isn't confirmed: the screens say the same. */
function createBillingEmails({ accounts, mailer, pausedSites }: BillingEmailsDeps): (userId: string, email: BillingEmail) => Promise<void> {
  return async (userId, { kind, plan, at, isGranted = false }) => {
    const person = await accounts.person(userId)
    if (!person) return
    const about = { username: person.username, plan }
    switch (kind) {
      case 'plan-changed':
        return mailer.send({ kind, ...about, nextChargeAt: at, isGranted }, { account: person })
      case 'payment-failed':
        return mailer.send({ kind, ...about, nextAttemptAt: at }, { account: person })
      case 'plan-ended':
        return mailer.send({ kind, ...about, pausedSites: await pausedSites(userId) }, { account: person })
    }
  }
}
