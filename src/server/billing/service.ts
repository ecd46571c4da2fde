import type { ChangeAnswer, ChangePreview, Subscription } from '../../contract/billing.ts'
import type { PlanId } from '../../contract/user.ts'
import type { Offer } from '../../core/billing/offer.ts'
import { isUpgrade, plans } from '../../core/billing/plans.ts'
import type { Person } from '../accounts/service.ts'
import type { Config } from '../config.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'
import type { EventBus } from '../common/events.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { BillingJobs } from './jobs.ts'
import { createBillingStore, type Change } from './store.ts'
import { createLetters, type LettersDeps } from './letters.ts'
import { createPayment, type Payment } from './payment.ts'
import { subscriptionView } from './view.ts'

export type BillingDeps = LettersDeps & {
  db: Db
  offer: Offer
  /** Undefined: nobody gave the keys, and nothing can have been paid. */
  stripe: Config['stripe']
  events: EventBus
  jobs: BillingJobs
  /** Where browsers reach this server. */
  baseUrl: () => string
  clock: Clock
  log: Log
}

/** A person's plan and what they pay for it. */
export function createBillingService(deps: BillingDeps) {
  const { events, jobs, clock, log } = deps
  const store = createBillingStore(deps.db)
  const write = createLetters(deps)
  const held = deps.stripe && createPayment({ ...deps, stripe: deps.stripe, store, announce: jobs.announce })

  /** Only where plans are sold (config.ts) do requests come this far without keys. */
  function payment(): Payment {
    if (!held) throw new Error('This needs the keys of Stripe')
    return held
  }

  /** @throws Refusal 409 when somebody was given as good a plan: they would pay for nothing */
  async function refuseGranted(userId: string, plan: PlanId): Promise<void> {
    const granted = await store.grantedTo(userId)
    if (granted === null || isUpgrade(granted, plan)) return
    throw new Refusal(409, `Your ${plans[granted].name} plan was given to you, so there's nothing to pay. To give it up, choose Free.`)
  }

  /** Free needs no payment. A plan that is paid for runs to the end of its period; one that was given ends now. */
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

    /** Chooses a plan for the first time, or after the last one ended. Paid: answers what the payment form needs. */
    async choose(person: Pick<Person, 'id' | 'email'>, plan: PlanId): Promise<{ clientSecret: string } | { success: true }> {
      if (plan === 'free') {
        await chooseFree(person.id)
        return { success: true }
      }
      await refuseGranted(person.id, plan)
      const clientSecret = await payment().begin(person, plan)
      return clientSecret === null ? { success: true } : { clientSecret }
    },

    /** @throws Refusal 409 for a plan that was given, 502 when Stripe fails */
    preview: async (userId: string, plan: PlanId): Promise<ChangePreview> => {
      if (plan !== 'free') await refuseGranted(userId, plan)
      const { price } = plans[plan]
      return (await payment().preview(userId, plan)) ?? { takesEffect: 'now', dueNow: price, price, at: null }
    },

    /** From one paid plan to another, or to Free. @throws Refusal 409 when the card is declined, in Stripe's words */
    async change(userId: string, plan: PlanId): Promise<Pick<ChangeAnswer, 'outcome' | 'clientSecret'>> {
      if (plan !== 'free') await refuseGranted(userId, plan)
      const outcome = await payment().change(userId, plan)
      if (outcome) return outcome
      if (plan !== 'free') throw new Refusal(409, 'You have no paid plan to change. Choose a plan and pay for it first.')
      await chooseFree(userId)
      return { outcome: 'changed', clientSecret: null }
    },

    /** Takes back a planned downgrade or cancellation. */
    resume: (userId: string): Promise<void> => payment().resume(userId),

    /** Asks Stripe how things stand: an installation on a private address gets no webhooks. */
    refresh: async (userId: string): Promise<void> => {
      await held?.refresh(userId)
    },

    portal: (userId: string): Promise<string> => payment().portal(userId, `${deps.baseUrl()}/settings`),

    webhook: (body: Buffer, signature: string): Promise<void> => payment().webhook(body, signature),

    /** Tells everyone concerned of a change; again, should it have been told already. */
    async tell({ userId, from, to, letters }: Change): Promise<void> {
      if (from !== to) await events.emit('planChanged', { userId, from, to })
      // What was sold before goes on at Stripe, but here is nothing any more that somebody could look up or change.
      if (deps.offer.billing === 'stripe') for (const letter of letters) await write(userId, letter)
    },

    read: async (userId: string): Promise<void> => {
      await held?.read(userId)
    },

    /** Has everyone read again over the next hours whose plan a lost webhook could have left wrong. */
    async review(): Promise<void> {
      const now = clock.now()
      const monthAgo = new Date(now.getTime() - 35 * 86_400_000)
      await store.forgetEvents(monthAgo)
      if (held) await jobs.readAll(await store.customersSince(monthAgo), now)
    },

    /** Where nothing is sold any more, Stripe goes on charging for what was: only whoever runs the installation can end that. */
    async warnOfSold(): Promise<void> {
      const paying = await store.paying()
      if (paying > 0) log.warn({ people: paying }, 'BILLING=off, but people still pay through Stripe: end their subscriptions there')
    },

    /** An account is being deleted: its subscriptions end at once and its customer goes, as soon as Stripe answers. */
    async accountDeleting({ userId, transaction }: { userId: string; transaction: Db }): Promise<void> {
      const customerId = await store.customerOf(userId, transaction)
      if (customerId !== null) await jobs.forget(customerId, transaction)
    },

    forget: (customerId: string): Promise<void> => payment().forget(customerId),

    /** What is stored about somebody's payments, for "Export my data". */
    async exportOf(userId: string): Promise<{ customerId: string | null; subscriptions: object[] }> {
      const [customerId, subscriptions] = await Promise.all([store.customerOf(userId), store.subscriptionsOf(userId)])
      return { customerId, subscriptions }
    },
  }
}
export type BillingService = ReturnType<typeof createBillingService>
