import type { Stripe } from 'stripe'
import { z } from 'zod'
import type { ChangeAnswer, ChangePreview } from '../../contract/billing.ts'
import type { PaidPlan, PlanId } from '../../contract/user.ts'
import { isEnded, isLive } from '../../core/billing/in-force.ts'
import { Refusal } from '../common/errors.ts'
import type { Db } from '../database/open.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { cancelPlan, changePlan, previewChange, undoPlanned } from './changes.ts'
import { type ClientSecret, type CountStart, createCheckout, endUnpaid } from './checkout.ts'
import { type Current, currentOf } from './current.ts'
import type { Payer } from './customer.ts'
import { createPersonLock, type Lock } from './locks.ts'
import { createPrices } from './prices.ts'
import { createReading, type Read, type ReadingDeps } from './reading.ts'
import { createSnapshots, listUnended } from './snapshot.ts'
import type { BillingStore } from './store.ts'
import { createStripeClient, idOf, type StripeClient, type StripeConfig } from './stripe-client.ts'
import { isMissing, isStripeProblem, refusalOf } from './stripe-problem.ts'
import { createTurns } from './turns.ts'

export type PaymentDeps = Pick<ReadingDeps, 'store' | 'events' | 'clock' | 'announce'> & { db: Db; stripe: StripeConfig; log: Log }

/** Actions at Stripe, in turns (turns.ts) and one at a time per person; the resulting state is stored at once. */
export function createPayment(deps: PaymentDeps) {
  const { store, log, clock } = deps
  const client = createStripeClient(deps.stripe)
  const prices = createPrices(client, clock)
  const turns = createTurns(createPersonLock(deps.db, log))
  const read = createReading({ ...deps, client, snapshots: createSnapshots({ client, prices }) })

  /** Turns Stripe errors into refusals a person can act on. */
  async function explained<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal || !isStripeProblem(error)) throw error
      log.warn({ type: error.type, code: error.code, detail: error.message }, 'Stripe rejected the request or did not respond')
      throw refusal
    }
  }

  /** Works on a person's subscriptions as they are at Stripe; null for somebody unknown to Stripe. */
  async function withCurrent<T>(userId: string, work: (current: Current) => Promise<T>): Promise<T | null> {
    const customer = await store.customerOf(userId)
    return customer === null ? null : work(await currentOf(await client(), prices, customer))
  }

  const locked = <T>(userId: string, work: () => Promise<T>): Promise<T> => explained(turns.locked(userId, work))

  return {
    /** What browsers need to reach Stripe. */
    checkout: { publishableKey: deps.stripe.publishableKey, scriptUrl: deps.stripe.scriptUrl },

    /** Starts a subscription; see `createCheckout`. */
    begin: (payer: Payer, plan: PaidPlan, countStart: CountStart): Promise<ClientSecret> =>
      locked(payer.id, async () => {
        const secret = await createCheckout({ client, prices, store })(payer, plan, countStart)
        await read(payer.id)
        return secret
      }),

    /** Ends a paid plan at the end of its period, and a started or unpaid one now. Returns false if there is no plan to end. */
    end: async (userId: string): Promise<boolean> => {
      const known = await store.subscriptionsOf(userId)
      if (known.every(isEnded)) return false
      const ending = locked(userId, async () => {
        const stripe = await client()
        const ended = await withCurrent(userId, async ({ live, unfinished }) => {
          for (const { subscription } of unfinished) await endUnpaid(stripe, subscription.id)
          if (live) await cancelPlan(stripe, live)
          return live !== null
        })
        await read(userId)
        return ended ?? false
      })
      // Free is available even while Stripe is down: subscriptions started but never paid end by themselves.
      return known.some(isLive) ? ending : ending.catch(unlessDefect)
    },

    preview: (userId: string, plan: PlanId): Promise<ChangePreview | null> =>
      explained(
        turns.unlocked(userId, () => withCurrent(userId, async ({ live }) => live && previewChange(await client(), prices, live, plan))),
      ),

    /** Null without a paid plan. */
    change: (userId: string, plan: PlanId): Promise<Pick<ChangeAnswer, 'outcome' | 'clientSecret'> | null> =>
      locked(userId, () =>
        withCurrent(userId, async ({ live }) => {
          if (!live) return null
          const outcome = await changePlan(await client(), prices, live, plan)
          await read(userId)
          return outcome
        }),
      ),

    resume: (userId: string): Promise<void> =>
      locked(userId, async () => {
        const undone = await withCurrent(userId, async ({ live }) => live !== null && undoPlanned(await client(), live))
        if (!undone) throw new Refusal(409, 'There is no scheduled change to undo.')
        await read(userId)
      }),

    refresh: (userId: string): Promise<void> => locked(userId, () => read(userId)),

    /** Stripe's own page for card and invoices. */
    portal: (userId: string, returnUrl: string): Promise<string> =>
      explained(
        turns.unlocked(userId, async () => {
          const customer = await store.customerOf(userId)
          if (customer === null) throw new Refusal(409, 'You have no payments to manage yet.')
          const session = await (await client()).billingPortal.sessions.create({ customer, return_url: returnUrl })
          return session.url
        }),
      ),

    /** For jobs and webhooks, which retry failures. */
    read: (userId: string): Promise<void> => turns.own(userId, () => read(userId)),
    webhook: createWebhook({ client, secret: deps.stripe.webhookSecret, store, lock: turns.own, read, clock, log }),

    forget: (customer: string): Promise<void> =>
      turns.ownUnlocked(customer, async () => {
        const stripe = await client()
        try {
          for (const { id } of await listUnended(stripe, customer)) await stripe.subscriptions.cancel(id)
          await stripe.customers.del(customer)
        } catch (error) {
          if (!isMissing(error)) throw error
        }
      }),
  }
}
export type Payment = ReturnType<typeof createPayment>

function unlessDefect(error: unknown): false {
  if (error instanceof Refusal) return false
  throw error
}

/** Events after which a customer's plan or card may have changed (docs/payment.md). */
const customerEvents =
  /^(customer\.subscription\.|subscription_schedule\.|invoice\.(paid|payment_failed|payment_action_required|voided)|customer\.(updated|deleted)$|payment_method\.)/

type WebhookDeps = {
  client: StripeClient
  secret: string
  store: BillingStore
  lock: Lock
  read: Read
  clock: Clock
  log: Log
}

/** A Stripe message: only says whose subscriptions to read again. */
function createWebhook({ client, secret, store, lock, read, clock, log }: WebhookDeps) {
  return async (body: Buffer, signature: string): Promise<void> => {
    const event = await verified(await client(), body, signature, secret)
    const customer = customerEvents.test(event.type) ? customerIn(event.data.object) : null
    const userId = customer === null ? null : await store.ownerOf(customer)
    if (userId === null || (await store.isHandled(event.id))) return
    await lock(userId, () => read(userId))
    await store.noteHandled({ id: event.id, type: event.type }, clock.now())
    log.debug({ type: event.type, id: event.id }, 'processed a Stripe webhook')
  }
}

/** @throws Refusal 400 for a message that isn't from Stripe, was tampered with, or is older than five minutes */
async function verified(stripe: Stripe, body: Buffer, signature: string, secret: string): Promise<Stripe.Event> {
  try {
    return stripe.webhooks.constructEvent(body, signature, secret)
  } catch {
    throw new Refusal(400, "The signature doesn't match this message.")
  }
}

/** The object of such an event is a customer, or belongs to one. */
const owned = z.union([
  z.object({ object: z.literal('customer'), id: z.string() }).transform(({ id }) => id),
  z.object({ customer: z.union([z.string(), z.object({ id: z.string() })]) }).transform(({ customer }) => idOf(customer)),
])

const customerIn = (object: unknown): string | null => owned.safeParse(object).data ?? null
