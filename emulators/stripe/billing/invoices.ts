import { buildPaymentIntent } from '../objects/intents.ts'
import { buildInvoice, buildInvoicePayment, buildLine } from '../objects/invoice.ts'
import type {
  Customer,
  Invoice,
  InvoiceLine,
  PaymentIntent,
  PaymentMethod,
  Price,
  Subscription,
  SubscriptionItem,
} from '../objects/types.ts'
import { invalid } from '../wire/errors.ts'
import type { World } from '../world.ts'
import { cardError } from './cards.ts'
import { cancelIntent, confirm } from './intents.ts'
import type { Attempt } from './intents.ts'
import { customerOf } from './methods.ts'
import type { Period } from './periods.ts'
import { invoicePaid, subscriptionOf } from './settlement.ts'

export const dollars = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100)

export const unitAmount = (price: Price): number => price.unit_amount ?? 0

export const productName = (world: World, price: Price): string => world.store.find('product', price.product)?.name ?? price.product

/** The lines that bill a subscription's items for a period. */
export function periodLines(world: World, subscription: Subscription, items: readonly SubscriptionItem[], period: Period): InvoiceLine[] {
  return items.map((item) => {
    const quantity = item.quantity ?? 1
    const each = `${dollars(unitAmount(item.price), item.price.currency)} / ${item.price.recurring?.interval ?? 'month'}`
    return buildLine({
      subscription: subscription.id,
      item: item.id,
      price: item.price,
      amount: unitAmount(item.price) * quantity,
      quantity,
      period,
      description: `${quantity} × ${productName(world, item.price)} (at ${each})`,
      proration: false,
      metadata: subscription.metadata,
    })
  })
}

/** A draft for a subscription, announced but not yet due. */
export function draftInvoice(
  world: World,
  subscription: Subscription,
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update',
  lines: readonly InvoiceLine[],
): Invoice {
  const customer = customerOf(world, subscription.customer)
  return world.create('invoice', buildInvoice(world.clock.seconds(), customer, subscription, reason, lines))
}

/** What an invoice charges after using the customer's credit, and the remaining credit. */
export function settleBalance(total: number, balance: number): { due: number; left: number } {
  return total + balance >= 0 ? { due: total + balance, left: 0 } : { due: 0, left: total + balance }
}

/** Finalizes a draft: it gets a number, uses the customer's credit, and an intent that is to pay it (or is paid, with nothing due). */
export function finalize(world: World, invoice: Invoice): Invoice {
  if (invoice.status !== 'draft' || invoice.customer === null) {
    throw invalid("This invoice is already finalized, you can't re-finalize a non-draft invoice.", { code: 'invoice_not_editable' })
  }
  const now = world.clock.seconds()
  const customer = customerOf(world, invoice.customer)
  const { due, left } = settleBalance(invoice.total, customer.balance)
  const sequence = customer.next_invoice_sequence ?? 1
  world.change(invoice, null, (open) => {
    open.status = 'open'
    open.number = `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`
    open.amount_due = due
    open.amount_remaining = due
    open.starting_balance = customer.balance
    open.ending_balance = left
    open.effective_at = now
    open.automatically_finalizes_at = null
    open.status_transitions.finalized_at = now
    open.hosted_invoice_url = `${world.url}/i/${invoice.id}`
  })
  const balance = customer.balance
  world.change(customer, balance === left ? null : 'customer.updated', (changed) => {
    changed.next_invoice_sequence = sequence + 1
    changed.balance = left
    changed.currency = invoice.currency
  })
  if (due > 0) addIntent(world, invoice)
  world.emit('invoice.finalized', invoice)
  if (due === 0) invoicePaid(world, invoice, null)
  return invoice
}

function addIntent(world: World, invoice: Invoice): void {
  const subscription = subscriptionOf(world, invoice)
  const method = subscription && defaultMethod(world, subscription)
  const intent = buildPaymentIntent(world.clock.seconds(), {
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: invoice.customer,
    description: invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
    setup_future_usage: invoice.billing_reason === 'subscription_create' ? 'off_session' : null,
    ...(method ? { payment_method: method.id, status: 'requires_confirmation' } : {}),
  })
  world.create('payment_intent', intent)
  world.store.secrets.intentOf[invoice.id] = intent.id
  world.create('invoice_payment', buildInvoicePayment(world.clock.seconds(), invoice, intent.id), null)
}

export function intentOf(world: World, invoice: Invoice): PaymentIntent | undefined {
  const id = world.store.secrets.intentOf[invoice.id]
  return id === undefined ? undefined : world.store.find('payment_intent', id)
}

/** The card that renewals are charged to. */
export function defaultMethod(world: World, subscription: Subscription): PaymentMethod | undefined {
  const customer = world.store.find('customer', subscription.customer)
  const id = subscription.default_payment_method ?? customer?.invoice_settings.default_payment_method
  return id === null || id === undefined ? undefined : world.store.find('payment_method', id)
}

/** Charges an open invoice to a card. Undefined: there is no card, and nothing was tried. */
export function collect(
  world: World,
  invoice: Invoice,
  mode: { offSession: boolean; method?: PaymentMethod | undefined },
): Attempt | undefined {
  if (invoice.status === 'paid') return { status: 'succeeded', problem: null }
  const subscription = subscriptionOf(world, invoice)
  const intent = intentOf(world, invoice)
  const method = mode.method ?? (subscription && defaultMethod(world, subscription))
  if (!method || !intent) return undefined
  return confirm(world, intent, method, { offSession: mode.offSession })
}

export function noCard(world: World, customer: Customer) {
  return invalid(
    `This customer has no attached payment source or default payment method. Please consider adding a default payment method. For more information, visit ${world.url}/#${customer.id}.`,
    { code: 'resource_missing' },
  )
}

/** The 402 for a failed payment. */
export function refuseUnpaid(world: World, invoice: Invoice, attempt: Attempt | undefined): void {
  if (!attempt?.problem) return
  const payment_intent = structuredClone(intentOf(world, invoice))
  if (attempt.status === 'failed') throw cardError(attempt.problem, { payment_intent })
  throw cardError(
    {
      code: 'invoice_payment_intent_requires_action',
      message:
        'This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with the invoice.',
    },
    { payment_intent },
  )
}

/** Voids an unpaid invoice. */
export function voidInvoice(world: World, invoice: Invoice): Invoice {
  if (invoice.status !== 'open') {
    throw invalid(`You can only pass in open invoices. This invoice isn't open.`, { code: 'status_transition_invalid' })
  }
  const intent = intentOf(world, invoice)
  const now = world.clock.seconds()
  world.change(invoice, null, (changed) => {
    changed.status = 'void'
    changed.next_payment_attempt = null
    changed.auto_advance = false
    changed.status_transitions.voided_at = now
  })
  // The change that waited for it is dropped too.
  const waiting = world.store.find('subscription', world.store.secrets.pendingUpdateOf[invoice.id] ?? '')
  delete world.store.secrets.pendingUpdateOf[invoice.id]
  if (waiting) world.change(waiting, 'customer.subscription.updated', (changed) => (changed.pending_update = null))
  const payment = world.store.all('invoice_payment').find((each) => each.invoice === invoice.id && each.status === 'open')
  if (payment) {
    world.change(payment, null, (changed) => {
      changed.status = 'canceled'
      changed.status_transitions.canceled_at = now
    })
  }
  if (intent) cancelIntent(world, intent, 'void_invoice')
  world.emit('invoice.voided', invoice)
  return invoice
}
