import type { Stripe } from 'stripe'
import type { PaidPlan } from '../../contract/user.ts'
import { plans } from '../../core/billing/plans.ts'
import { Refusal } from '../common/errors.ts'
import { currentOf } from './current.ts'
import { customerFor, type Payer } from './customer.ts'
import type { Prices } from './prices.ts'
import { itemOf } from './snapshot.ts'
import type { BillingStore } from './store.ts'
import type { StripeClient } from './stripe-client.ts'

export type CheckoutDeps = { client: StripeClient; prices: Prices; store: BillingStore }

/** Counts a subscription before it is started: the next one ends it, but Stripe keeps it. @throws Refusal 429 after too many in a day */
export type CountStart = () => Promise<void>

/** The secret for a first payment's form; null if nothing is left to pay. */
export type ClientSecret = string | null

/**
 * Starts a subscription with its first payment in the browser. Resumes one that was started and abandoned, and ends those of other plans,
 * so that nobody can pay twice. Call it within the person's lock.
 */
export function createCheckout({ client, prices, store }: CheckoutDeps) {
  return async (payer: Payer, plan: PaidPlan, countStart: CountStart): Promise<ClientSecret> => {
    const stripe = await client()
    const price = await prices.priceOf(plan)
    const customer = await customerFor(stripe, store, payer)
    const { live, unfinished } = await currentOf(stripe, prices, customer)
    if (live?.plan === plan) throw new Refusal(409, `Your ${plans[plan].name} plan is already active.`)
    if (live) throw new Refusal(409, `Your ${plans[live.plan].name} plan is active. Change it in Settings.`)

    let kept: { id: string; secret: string } | undefined
    for (const { subscription } of unfinished) {
      if (kept || subscription.status !== 'incomplete' || itemOf(subscription)?.price.id !== price) continue
      const secret = await secretOf(stripe, subscription.id)
      if (secret !== undefined) kept = { id: subscription.id, secret }
    }
    // Before anything ends: whoever may start no more today can still pay for what they started last.
    if (!kept) await countStart()
    for (const { subscription } of unfinished) if (subscription.id !== kept?.id) await endUnpaid(stripe, subscription.id)
    if (kept) return kept.secret

    const made = await stripe.subscriptions.create({
      customer,
      items: [{ price }],
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription', payment_method_types: ['card'] },
      expand: ['latest_invoice.confirmation_secret'],
      metadata: { user_id: payer.id },
    })
    const toPay = secretIn(made)
    if (toPay === undefined && made.status === 'incomplete') throw new Refusal(502, "Stripe couldn't start the payment. Please try again.")
    return toPay ?? null
  }
}

/**
 * Ends an unpaid subscription. Stripe then collects nothing by itself; but the open amount could still be paid, in a payment form or on the
 * invoice's own page, so it is voided.
 */
export async function endUnpaid(stripe: Stripe, id: string): Promise<void> {
  await stripe.subscriptions.cancel(id)
  const open = await stripe.invoices.list({ subscription: id, status: 'open', limit: 100 }).autoPagingToArray({ limit: 1000 })
  for (const invoice of open) await stripe.invoices.voidInvoice(invoice.id)
}

async function secretOf(stripe: Stripe, id: string): Promise<string | undefined> {
  return secretIn(await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice.confirmation_secret'] }))
}

function secretIn({ latest_invoice: invoice }: Stripe.Subscription): string | undefined {
  if (invoice === null || typeof invoice === 'string' || invoice.status !== 'open') return undefined
  return invoice.confirmation_secret?.client_secret
}
