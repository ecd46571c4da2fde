import { newId } from '../ids.ts'
import { listOf } from './types.ts'
import type { Customer, Invoice, InvoiceLine, InvoicePayment, Price, Subscription } from './types.ts'

/** One line of an invoice, for a subscription item over a period. */
export function buildLine(fields: {
  readonly subscription: string
  readonly item: string
  readonly price: Price
  readonly amount: number
  readonly quantity: number
  readonly period: { readonly start: number; readonly end: number }
  readonly description: string
  readonly proration: boolean
  readonly metadata: Record<string, string>
}): InvoiceLine {
  return {
    id: newId('il'),
    object: 'line_item',
    amount: fields.amount,
    currency: fields.price.currency,
    description: fields.description,
    discount_amounts: [],
    discountable: !fields.proration,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: { ...fields.metadata },
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: fields.proration ? newId('ii') : null,
        proration: fields.proration,
        proration_details: { credited_items: null },
        subscription: fields.subscription,
        subscription_item: fields.item,
      },
      type: 'subscription_item_details',
    },
    period: { ...fields.period },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: fields.price.id, product: fields.price.product },
      type: 'price_details',
      unit_amount_decimal: fields.price.unit_amount_decimal,
    },
    quantity: fields.quantity,
    quantity_decimal: String(fields.quantity),
    subscription: fields.subscription,
    subtotal: fields.amount,
    taxes: [],
  }
}

/** A draft. The customer's credit is used when it is finalized. */
export function buildInvoice(
  created: number,
  customer: Customer,
  subscription: Subscription,
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'upcoming',
  lines: readonly InvoiceLine[],
  id = newId('in'),
): Invoice {
  const total = lines.reduce((sum, line) => sum + line.amount, 0)
  const { start, end } = lines.at(-1)?.period ?? { start: created, end: created }
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Ranklark (local stand-in)',
    account_tax_ids: null,
    amount_due: Math.max(0, total),
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: Math.max(0, total),
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created,
    currency: subscription.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: listOf(
      lines.map((line) => ({ ...line, invoice: id })),
      `/v1/invoices/${id}/lines`,
    ),
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: { ...subscription.metadata }, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    // An invoice looks back: the first one's period is a single instant.
    period_start: reason === 'subscription_cycle' || reason === 'upcoming' ? start - (end - start) : created,
    period_end: reason === 'subscription_cycle' || reason === 'upcoming' ? start : created,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: customer.balance,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: total,
    subtotal_excluding_tax: total,
    test_clock: null,
    total,
    total_discount_amounts: [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: created,
  }
}

/** The link between an invoice and the intent that is to pay for it. */
export function buildInvoicePayment(created: number, invoice: Invoice, intent: string): InvoicePayment {
  return {
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  }
}
