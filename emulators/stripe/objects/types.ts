import type Stripe from 'stripe'

type Each<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends Stripe.Decimal
    ? string
    : T extends readonly (infer E)[]
      ? Stored<E>[]
      : { [K in keyof T]: Stored<T[K]> }

/**
 * An object as sent when nothing is expanded: ids instead of other objects, decimals as strings. Derived from the official SDK's own types,
 * so that the compiler finds missing or misnamed fields.
 */
export type Stored<T> = Each<[Extract<T, string>] extends [never] ? T : Exclude<T, { id: string }>>

export type Customer = Stored<Stripe.Customer>
export type Product = Stored<Stripe.Product>
export type Price = Stored<Stripe.Price>
export type PaymentMethod = Stored<Stripe.PaymentMethod>
export type PaymentIntent = Stored<Stripe.PaymentIntent>
export type SetupIntent = Stored<Stripe.SetupIntent>
export type Charge = Stored<Stripe.Charge>
export type Invoice = Stored<Stripe.Invoice>
export type InvoiceLine = Stored<Stripe.InvoiceLineItem>
export type InvoicePayment = Stored<Stripe.InvoicePayment>
export type Subscription = Stored<Stripe.Subscription>
export type SubscriptionItem = Stored<Stripe.SubscriptionItem>
export type Schedule = Stored<Stripe.SubscriptionSchedule>
export type SchedulePhase = Stored<Stripe.SubscriptionSchedule.Phase>
export type PortalSession = Stored<Stripe.BillingPortal.Session>
export type WebhookEndpoint = Stored<Stripe.WebhookEndpoint>

export interface StripeEvent {
  readonly id: string
  readonly object: 'event'
  readonly api_version: string
  readonly created: number
  readonly data: { readonly object: Record<string, unknown>; readonly previous_attributes?: Record<string, unknown> }
  readonly livemode: false
  pending_webhooks: number
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null }
  readonly type: string
}

/** Every kind of object kept, by the value of its `object` field. */
export interface Kinds {
  customer: Customer
  product: Product
  price: Price
  payment_method: PaymentMethod
  payment_intent: PaymentIntent
  setup_intent: SetupIntent
  charge: Charge
  invoice: Invoice
  invoice_payment: InvoicePayment
  subscription: Subscription
  subscription_schedule: Schedule
  'billing_portal.session': PortalSession
  webhook_endpoint: WebhookEndpoint
  event: StripeEvent
}
export type Kind = keyof Kinds

export interface List<T> {
  readonly object: 'list'
  readonly data: T[]
  readonly has_more: boolean
  readonly url: string
}

export const listOf = <T>(data: T[], url: string): List<T> => ({ object: 'list', data, has_more: false, url })
