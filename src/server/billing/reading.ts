import type { EventBus } from '../common/events.ts'
import type { Db } from '../database/open.ts'
import type { Clock } from '../platform/clock.ts'
import { listNewest, type Snapshots } from './snapshot.ts'
import type { BillingStore, Change } from './store.ts'
import type { StripeClient } from './stripe-client.ts'

export type ReadingDeps = {
  client: StripeClient
  snapshots: Snapshots
  store: BillingStore
  events: EventBus
  clock: Clock
  /** Announces a change to everyone concerned, even if this process ends first. */
  announce: (change: Change, transaction: Db) => Promise<void>
}

/** Reads a person's subscriptions from Stripe and stores the result. Call it within the person's lock. */
export type Read = (userId: string) => Promise<void>

/**
 * The only way a plan changes. Whatever the trigger (a webhook, a click, the daily review), Stripe's current state counts, never a
 * message's content: so nothing can arrive duplicated, late or out of order.
 */
export function createReading({ client, snapshots, store, events, clock, announce }: ReadingDeps): Read {
  return async (userId) => {
    const customer = await store.customerOf(userId)
    if (customer === null) return
    const listed = await listNewest(await client(), customer)
    const held = new Map((await store.subscriptionsOf(userId)).map(({ id, plan }) => [id, plan]))
    const read = await Promise.all(listed.map((subscription) => snapshots.snapshotOf(subscription, held.get(subscription.id))))
    const change = await store.save(
      userId,
      read.filter((snapshot) => snapshot !== null),
      clock.now(),
      announce,
    )
    // Now, so that the waiting person's answer already shows it; `announce` takes care of it if this fails.
    if (change && change.from !== change.to) await events.emit('planChanged', { userId, from: change.from, to: change.to })
  }
}
