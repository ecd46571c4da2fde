import { createHash } from 'node:crypto'
import { newId } from '../ids.ts'
import type { Charge, PaymentIntent, PaymentMethod } from './types.ts'

export interface CardDetails {
  readonly number: string
  readonly exp_month: number
  readonly exp_year: number
  readonly cvc: string | null
}

export function buildPaymentMethod(
  created: number,
  card: CardDetails,
  country: string,
  billing: {
    readonly name?: string | null | undefined
    readonly email?: string | null | undefined
    readonly country?: string | null | undefined
  },
): PaymentMethod {
  const brand = card.number.startsWith('5') ? 'mastercard' : card.number.startsWith('3') ? 'amex' : 'visa'
  return {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: {
      address: { city: null, country: billing.country ?? null, line1: null, line2: null, postal_code: null, state: null },
      email: billing.email ?? null,
      name: billing.name ?? null,
      phone: null,
      tax_id: null,
    },
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: card.cvc === null ? null : 'unchecked' },
      country,
      display_brand: brand,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      fingerprint: createHash('sha256').update(card.number).digest('base64url').slice(0, 16),
      funding: 'credit',
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
}

/** The outcome of charging a card. @param failure null: it went through */
export function buildCharge(
  created: number,
  intent: PaymentIntent,
  method: PaymentMethod,
  failure: { readonly code: string; readonly decline_code?: string; readonly message: string } | null,
): Charge {
  return {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: failure ? 0 : intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: failure ? null : newId('txn'),
    billing_details: structuredClone(method.billing_details),
    calculated_statement_descriptor: 'RANKLARK',
    captured: failure === null,
    created,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: failure ? 'declined_by_network' : 'approved_by_network',
      reason: failure ? (failure.decline_code ?? failure.code) : null,
      risk_level: 'normal',
      seller_message: failure ? 'The bank did not return any further details with this decline.' : 'Payment complete.',
      type: failure ? 'issuer_declined' : 'authorized',
    },
    paid: failure === null,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: failure ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  }
}
