import type { Stripe } from 'stripe'
import { z } from 'zod'
import { Refusal } from '../common/errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Lock } from './locks.ts'
import type { Read } from './reading.ts'
import type { BillingStore } from './store.ts'
import { idOf, type StripeClient } from './stripe-client.ts'

/** Events after which a customer's plan or card may have changed (docs/payment.md). */
const telling =
  /^(customer\.subscription\.|subscription_schedule\.|invoice\.(paid|payment_failed|payment_action_required|voided)|customer\.(updated|deleted)$|payment_method\.)/

export type WebhookDeps = {
  client: StripeClient
  secret: string
  store: BillingStore
  lock: Lock
  read: Read
  clock: Clock
  log: Log
}

/** A Stripe message: only says whose subscriptions to read again. */
export function createWebhook({ client, secret, store, lock, read, clock, log }: WebhookDeps) {
  return async (body: Buffer, signature: string): Promise<void> => {
    const event = await verified(await client(), body, signature, secret)
    const customer = telling.test(event.type) ? customerIn(event.data.object) : null
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
