import type { InvoiceLine, Subscription, SubscriptionItem } from '../objects/types.ts'
import { invalid } from '../wire/errors.ts'
import type { World } from '../world.ts'
import { collect, defaultMethod, draftInvoice, finalize, noCard, refuseUnpaid, voidInvoice } from './invoices.ts'
import { customerOf } from './methods.ts'
import { setPendingUpdate } from './pending-update.ts'
import { prorationLines } from './proration.ts'
import { planNextAttempt } from './settlement.ts'

export type ProrationBehavior = 'always_invoice' | 'create_prorations' | 'none'
export type PaymentBehavior = 'allow_incomplete' | 'default_incomplete' | 'error_if_incomplete' | 'pending_if_incomplete'

export interface Change {
  /** All items after the change; undefined: unchanged. */
  readonly items: SubscriptionItem[] | undefined
  readonly proration: ProrationBehavior
  readonly prorationDate: number
  readonly payment: PaymentBehavior
  readonly offSession: boolean
  /** All other changes. */
  readonly apply: (subscription: Subscription) => void
  /** Whether to cancel at the period's end, if that waits along with a change whose payment is pending. */
  readonly pendingCancel?: boolean | undefined
  /** Metadata that waits along with a change whose payment is pending. */
  readonly pendingMetadata: Record<string, string> | undefined
}

/** Changes a subscription, and bills for it if requested. */
export function updateSubscription(world: World, subscription: Subscription, change: Change): Subscription {
  const lines = change.items && change.proration !== 'none' ? prorationLines(world, subscription, change.items, change.prorationDate) : []
  if (lines.length > 0 && change.proration === 'always_invoice' && subscription.status !== 'incomplete') {
    dropPendingUpdate(world, subscription)
    return billNow(world, subscription, change, lines)
  }
  if (lines.length > 0) (world.store.secrets.pendingLines[subscription.id] ??= []).push(...lines)
  return applyNow(world, subscription, change, null)
}

function applyNow(world: World, subscription: Subscription, change: Change, invoice: string | null): Subscription {
  return world.change(subscription, 'customer.subscription.updated', (changed) => {
    change.apply(changed)
    if (change.items) changed.items.data = structuredClone(change.items)
    if (invoice !== null) changed.latest_invoice = invoice
  })
}

function billNow(world: World, subscription: Subscription, change: Change, lines: readonly InvoiceLine[]): Subscription {
  const due = lines.reduce((sum, line) => sum + line.amount, 0) > 0
  if (due && change.payment !== 'default_incomplete' && !defaultMethod(world, subscription)) {
    throw noCard(world, customerOf(world, subscription.customer))
  }
  const waiting = world.store.secrets.pendingLines[subscription.id] ?? []
  delete world.store.secrets.pendingLines[subscription.id]
  const invoice = draftInvoice(world, subscription, 'subscription_update', [...waiting, ...lines])

  if (change.payment === 'pending_if_incomplete') {
    finalize(world, invoice)
    collect(world, invoice, { offSession: change.offSession })
    if (invoice.status === 'paid') return applyNow(world, subscription, change, invoice.id)
    world.store.secrets.pendingUpdateOf[invoice.id] = subscription.id
    return world.change(subscription, 'customer.subscription.updated', (changed) => {
      changed.latest_invoice = invoice.id
      setPendingUpdate(world, changed, {
        items: change.items ?? changed.items.data,
        metadata: change.pendingMetadata ?? null,
        cancels: change.pendingCancel ?? null,
      })
    })
  }

  applyNow(world, subscription, change, invoice.id)
  finalize(world, invoice)
  if (invoice.status === 'paid') return subscription
  if (change.payment === 'default_incomplete') {
    return world.change(subscription, 'customer.subscription.updated', (changed) => (changed.status = 'past_due'))
  }
  if (change.payment === 'allow_incomplete') planNextAttempt(world, invoice)
  const attempt = collect(world, invoice, { offSession: change.offSession })
  if (change.payment === 'error_if_incomplete') refuseUnpaid(world, invoice, attempt)
  return subscription
}

/** Drops a change that waits for its payment. */
export function dropPendingUpdate(world: World, subscription: Subscription): void {
  if (!subscription.pending_update) return
  const entry = Object.entries(world.store.secrets.pendingUpdateOf).find(([, id]) => id === subscription.id)
  const invoice = entry && world.store.find('invoice', entry[0])
  world.change(subscription, null, (changed) => (changed.pending_update = null))
  if (invoice?.status === 'open') voidInvoice(world, invoice)
}

/** Why items of a subscription in this state may not change. */
export function refuseFinished(subscription: Subscription): void {
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') {
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.', {
      code: 'invalid_canceled_subscription_fields',
    })
  }
}
