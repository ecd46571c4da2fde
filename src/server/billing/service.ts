import type { ChangeAnswer, ChangePreview, Subscription } from '../../contract/billing.ts'
import type { PlanId } from '../../contract/user.ts'
import { plans } from '../../core/billing/plans.ts'
import type { Person } from '../accounts/service.ts'
import type { Config } from '../config.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../errors.ts'
import type { EventBus } from '../events.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { BillingJobs } from './jobs.ts'
import { createBillingStore, type Change } from './store.ts'
import { createLetters, type LettersDeps } from './letters.ts'
import { createPayment, type Payment } from './payment.ts'
import { subscriptionView } from './view.ts'

export type BillingDeps = LettersDeps & {
  db: Db
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
  const { events, jobs, clock } = deps
  const store = createBillingStore(deps.db)
  const write = createLetters(deps)
  const held = deps.stripe && createPayment({ ...deps, stripe: deps.stripe, store, announce: jobs.announce })

  function payment(): Payment {
    if (!held) throw new Refusal(409, 'Card payment is not set up on this installation.')
    return held
  }

  /** Free needs no payment. A plan that is paid for runs to the end of its period; one that was given ends now. */
  async function chooseFree(userId: string): Promise<void> {
    await store.noteChoice(userId, clock.now())
    if (held && (await held.end(userId))) return
    const change = await store.giveUpPlan(userId, clock.now(), jobs.announce)
    if (change) await events.emit('planChanged', change)
  }

  return {
    subscription: async ({ id, plan }: Pick<Person, 'id' | 'plan'>): Promise<Subscription> =>
      subscriptionView(plan, await store.subscriptionsOf(id), deps.stripe, clock.now()),

    /** Chooses a plan for the first time, or after the last one ended. Paid: answers what the payment form needs. */
    async choose(person: Pick<Person, 'id' | 'email'>, plan: PlanId): Promise<{ clientSecret: string } | { success: true }> {
      if (plan === 'free') {
        await chooseFree(person.id)
        return { success: true }
      }
      const clientSecret = await payment().begin(person, plan)
      return clientSecret === null ? { success: true } : { clientSecret }
    },

    /** @throws Refusal 409 without a plan that is paid for, 502 when Stripe fails */
    preview: async (userId: string, plan: PlanId): Promise<ChangePreview> => {
      const preview = held ? await held.preview(userId, plan) : null
      if (preview) return preview
      if (plan !== 'free') payment()
      return { takesEffect: 'now', dueNow: plans[plan].price, price: plans[plan].price, at: null }
    },

    /** From one paid plan to another, or to Free. @throws Refusal 409 when the card is declined, in Stripe's words */
    async change(userId: string, plan: PlanId): Promise<Pick<ChangeAnswer, 'outcome' | 'clientSecret'>> {
      const outcome = held ? await held.change(userId, plan) : null
      if (outcome) return outcome
      if (plan === 'free') {
        await chooseFree(userId)
        return { outcome: 'changed', clientSecret: null }
      }
      payment()
      throw new Refusal(409, 'There is no paid plan to change. Choose a plan and pay for it first.')
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
      for (const letter of letters) await write(userId, letter)
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
