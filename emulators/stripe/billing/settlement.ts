import type { Invoice, PaymentMethod, Subscription } from '../objects/types.ts'
import type { World } from '../world.ts'
import { applyPendingUpdate } from './pending-update.ts'

/** The subscription that an invoice is for. */
export function subscriptionOf(world: World, invoice: Invoice): Subscription | undefined {
  const id = invoice.parent?.subscription_details?.subscription
  return id === undefined ? undefined : world.store.find('subscription', id)
}

/** An invoice is paid: by a card, or (no method) because nothing is due. */
export function invoicePaid(world: World, invoice: Invoice, method: PaymentMethod | null): void {
  const now = world.clock.seconds()
  world.change(invoice, null, (paid) => {
    paid.status = 'paid'
    paid.amount_paid = invoice.amount_due
    paid.amount_remaining = 0
    paid.attempted = true
    if (method) paid.attempt_count += 1
    paid.next_payment_attempt = null
    paid.auto_advance = false
    paid.status_transitions.paid_at = now
  })
  delete world.store.secrets.retries[invoice.id]
  const payment = world.store.all('invoice_payment').find((each) => each.invoice === invoice.id && each.status === 'open')
  if (payment) {
    world.change(payment, null, (paid) => {
      paid.status = 'paid'
      paid.amount_paid = paid.amount_requested
      paid.status_transitions.paid_at = now
    })
    world.emit('invoice_payment.paid', payment)
  }
  const subscription = subscriptionOf(world, invoice)
  if (subscription) subscriptionPaid(world, subscription, invoice, method)
  world.emit('invoice.paid', invoice)
  world.emit('invoice.payment_succeeded', invoice)
}

function subscriptionPaid(world: World, subscription: Subscription, invoice: Invoice, method: PaymentMethod | null): void {
  const settled = subscription.latest_invoice === invoice.id || invoice.billing_reason === 'subscription_create'
  const applied = world.store.secrets.pendingUpdateOf[invoice.id] === subscription.id
  world.change(subscription, 'customer.subscription.updated', (paid) => {
    if (settled && ['incomplete', 'past_due', 'unpaid'].includes(paid.status)) paid.status = 'active'
    if (method && paid.payment_settings?.save_default_payment_method === 'on_subscription' && method.customer === paid.customer) {
      paid.default_payment_method = method.id
    }
    if (applied) applyPendingUpdate(paid)
  })
  if (applied) {
    delete world.store.secrets.pendingUpdateOf[invoice.id]
    world.emit('customer.subscription.pending_update_applied', subscription)
  }
  const customer = world.store.find('customer', subscription.customer)
  if (customer?.delinquent) world.change(customer, 'customer.updated', (changed) => (changed.delinquent = false))
}

/** One more failed attempt. */
export function invoicePaymentFailed(world: World, invoice: Invoice): void {
  if (invoice.status !== 'open') return
  attempted(world, invoice)
  fallBehind(world, invoice)
  world.emit('invoice.payment_failed', invoice)
}

/** The bank wants to challenge the cardholder. While they are present that isn't a failure yet. */
export function invoiceActionRequired(world: World, invoice: Invoice, offSession: boolean): void {
  if (invoice.status !== 'open') return
  attempted(world, invoice)
  if (offSession) {
    fallBehind(world, invoice)
    world.emit('invoice.payment_failed', invoice)
  }
  world.emit('invoice.payment_action_required', invoice)
}

function attempted(world: World, invoice: Invoice): void {
  world.change(invoice, null, (changed) => {
    changed.attempted = true
    changed.attempt_count += 1
  })
}

const DAY = 86_400

/** Sets when the next attempt follows, should the current one fail; null: it was the last. */
export function planNextAttempt(world: World, invoice: Invoice): void {
  const done = world.store.secrets.retries[invoice.id] ?? 0
  const pause = world.settings.retryDays[done]
  world.store.secrets.retries[invoice.id] = done + 1
  invoice.next_payment_attempt = pause === undefined ? null : world.clock.seconds() + pause * DAY
}

/**
 * An unpaid renewal makes the subscription past due; an unpaid first payment leaves it incomplete, a pending update leaves it unchanged.
 */
function fallBehind(world: World, invoice: Invoice): void {
  const subscription = subscriptionOf(world, invoice)
  if (!subscription || subscription.status !== 'active' || subscription.latest_invoice !== invoice.id) return
  if (world.store.secrets.pendingUpdateOf[invoice.id] !== undefined) return
  world.change(subscription, 'customer.subscription.updated', (changed) => (changed.status = 'past_due'))
  const customer = world.store.find('customer', subscription.customer)
  if (customer) world.change(customer, 'customer.updated', (changed) => (changed.delinquent = true))
}
