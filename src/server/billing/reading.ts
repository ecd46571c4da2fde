import type { EventBus } from '../common/events.ts'
import type { Db } from '../database/open.ts'
import type { Clock } from '../platform/clock.ts'
import { listSubscriptions, type Snapshots } from './snapshot.ts'
import type { BillingStore, Change } from './store.ts'
import type { StripeClient } from './stripe-client.ts'

export type ReadingDeps = {
  client: StripeClient
  snapshots: Snapshots
  store: BillingStore
  events: EventBus
  clock: Clock
  /** Has a change told to everyone concerned, even if this process ends before it did. */
  announce: (change: Change, transaction: Db) => Promise<void>
}

/** Reads a person's subscriptions from Stripe and stores what they say. To be done in the person's lock. */
export type Read = (userId: string) => Promise<void>

/**
 * The one way in which a plan changes. Whatever caused it (a webhook, a click, the daily review), what
 * counts is what Stripe says now, never what a message said: so nothing can come doubled, late or
 * in the wrong order.
 */
export function createReading({ client, snapshots, store, events, clock, announce }: ReadingDeps): Read {
  return async (userId) => {
    const customer = await store.customerOf(userId)
    if (customer === null) return
    const told = await listSubscriptions(await client(), customer)
    const held = new Map((await store.subscriptionsOf(userId)).map(({ id, plan }) => [id, plan]))
    const read = await Promise.all(told.map((subscription) => snapshots.snapshotOf(subscription, held.get(subscription.id))))
    const change = await store.save(
      userId,
      read.filter((snapshot) => snapshot !== null),
      clock.now(),
      announce,
    )
    // Now, so that the answer to whoever waits already shows it; `announce` sees to it should this fail.
    if (change && change.from !== change.to) await events.emit('planChanged', { userId, from: change.from, to: change.to })
  }
}
