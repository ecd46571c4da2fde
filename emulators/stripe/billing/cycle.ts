import type { Invoice, Subscription } from '../objects/types.ts'
import type { World } from '../world.ts'
import { endSubscription } from './cancel.ts'
import { collect, draftInvoice, finalize, periodLines, voidInvoice } from './invoices.ts'
import { periodEnd } from './periods.ts'
import { nextPhase } from './schedules.ts'
import { invoicePaymentFailed, planNextAttempt, subscriptionOf } from './settlement.ts'

const HOUR = 3600
const EXPIRES_AFTER = 23 * HOUR

interface Due {
  /** Seconds since 1970. */
  readonly at: number
  readonly run: () => void
}

/** Does everything due until a given time (milliseconds since 1970), each thing at its own time, and leaves the clock there. */
export function runUntil(world: World, until: number): void {
  for (let due = earliest(world); due !== undefined && due.at * 1000 <= until; due = earliest(world)) {
    if (due.at * 1000 > world.clock.now()) world.clock.moveTo(due.at * 1000)
    due.run()
  }
  if (until > world.clock.now()) world.clock.moveTo(until)
}

/** Does what has become due as time passed. */
export function catchUp(world: World): void {
  const now = world.clock.seconds()
  for (let due = earliest(world); due !== undefined && due.at <= now; due = earliest(world)) due.run()
}

/** At the same time, a schedule's phase comes before the renewal, which then bills the new prices. */
function earliest(world: World): Due | undefined {
  const all = [
    ...world.store
      .all('subscription_schedule')
      .flatMap((schedule) =>
        schedule.status === 'active' && schedule.current_phase
          ? [{ at: schedule.current_phase.end_date, run: () => nextPhase(world, schedule) }]
          : [],
      ),
    ...world.store.all('subscription').flatMap((subscription) => subscriptionDue(world, subscription)),
    ...world.store.all('invoice').flatMap((invoice) => invoiceDue(world, invoice)),
  ]
  return all.sort((a, b) => a.at - b.at)[0]
}

function subscriptionDue(world: World, subscription: Subscription): Due[] {
  const due: Due[] = []
  if (subscription.status === 'incomplete') {
    due.push({ at: subscription.created + EXPIRES_AFTER, run: () => void endSubscription(world, subscription, null) })
  }
  if (subscription.pending_update) {
    due.push({ at: subscription.pending_update.expires_at, run: () => expirePendingUpdate(world, subscription) })
  }
  if (['active', 'past_due', 'unpaid'].includes(subscription.status)) {
    const end = subscription.items.data[0]?.current_period_end ?? Infinity
    const cancelAt = subscription.cancel_at ?? Infinity
    due.push(
      cancelAt <= end
        ? { at: cancelAt, run: () => void endSubscription(world, subscription, null) }
        : { at: end, run: () => renew(world, subscription) },
    )
  }
  return due
}

function invoiceDue(world: World, invoice: Invoice): Due[] {
  if (invoice.status === 'draft' && invoice.automatically_finalizes_at !== null) {
    return [{ at: invoice.automatically_finalizes_at, run: () => firstAttempt(world, invoice) }]
  }
  if (invoice.status === 'open' && invoice.next_payment_attempt !== null) {
    return [{ at: invoice.next_payment_attempt, run: () => attempt(world, invoice) }]
  }
  return []
}

/** Starts a new period; its invoice stays a draft for an hour, as with Stripe. */
function renew(world: World, subscription: Subscription): void {
  const [first] = subscription.items.data
  if (!first?.price.recurring) return
  const start = first.current_period_end
  const end = periodEnd(subscription.billing_cycle_anchor, start, first.price.recurring)
  const waiting = world.store.secrets.pendingLines[subscription.id] ?? []
  delete world.store.secrets.pendingLines[subscription.id]
  const lines = [...waiting, ...periodLines(world, subscription, subscription.items.data, { start, end })]
  const invoice = draftInvoice(world, subscription, 'subscription_cycle', lines)
  // Nobody is charged for a subscription that was given up as unpaid.
  if (subscription.status === 'unpaid') invoice.auto_advance = false
  else invoice.automatically_finalizes_at = start + HOUR
  world.change(subscription, 'customer.subscription.updated', (renewed) => {
    for (const item of renewed.items.data) {
      item.current_period_start = start
      item.current_period_end = end
    }
    renewed.latest_invoice = invoice.id
  })
}

function firstAttempt(world: World, invoice: Invoice): void {
  finalize(world, invoice)
  attempt(world, invoice)
}

/** Tries to collect a renewal; after the last attempt the subscription lapses. */
function attempt(world: World, invoice: Invoice): void {
  if (invoice.status !== 'open') return
  planNextAttempt(world, invoice)
  const result = collect(world, invoice, { offSession: true })
  if (result?.status === 'succeeded') return
  // A renewal without any card counts as a failed attempt.
  if (!result) invoicePaymentFailed(world, invoice)
  if (invoice.next_payment_attempt === null) lapse(world, invoice)
}

function lapse(world: World, invoice: Invoice): void {
  delete world.store.secrets.retries[invoice.id]
  const subscription = subscriptionOf(world, invoice)
  if (subscription?.status !== 'past_due') return
  if (world.settings.afterRetries === 'cancel') endSubscription(world, subscription, 'payment_failed')
  if (world.settings.afterRetries === 'unpaid') {
    world.change(subscription, 'customer.subscription.updated', (changed) => (changed.status = 'unpaid'))
  }
}

function expirePendingUpdate(world: World, subscription: Subscription): void {
  const entry = Object.entries(world.store.secrets.pendingUpdateOf).find(([, id]) => id === subscription.id)
  const invoice = entry && world.store.find('invoice', entry[0])
  if (invoice?.status === 'open') voidInvoice(world, invoice)
  world.change(subscription, 'customer.subscription.updated', (changed) => (changed.pending_update = null))
  world.emit('customer.subscription.pending_update_expired', subscription)
}
