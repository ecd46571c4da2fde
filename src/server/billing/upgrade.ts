import type { Stripe } from 'stripe'
import type { ChangeAnswer } from '../../contract/billing.ts'
import { Refusal } from '../common/errors.ts'
import type { Current } from './current.ts'
import { idOf } from './stripe-client.ts'

/**
 * To a better plan, against payment of the difference. The plan changes only once that is paid: until
 * then Stripe keeps the change as a pending update, and drops it after 23 hours.
 */
export async function upgrade(
  stripe: Stripe,
  { subscription, item }: NonNullable<Current['live']>,
  price: string,
): Promise<Pick<ChangeAnswer, 'outcome' | 'clientSecret'>> {
  const updated = await stripe.subscriptions.update(subscription.id, {
    items: [{ id: item.id, price }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
    // A cancellation is taken back together with the upgrade: one that is not paid leaves it as it was.
    ...(subscription.cancel_at_period_end && { cancel_at_period_end: false }),
    expand: ['latest_invoice.payments'],
  })
  if (updated.pending_update === null) return { outcome: 'changed', clientSecret: null }
  const intent = await intentOf(stripe, updated.latest_invoice)
  if (intent?.status === 'requires_action') return { outcome: 'action_required', clientSecret: intent.client_secret }
  await giveUpUpgrade(stripe, updated)
  throw new Refusal(409, intent?.last_payment_error?.message ?? 'Your card was declined.')
}

/** Drops an upgrade that waits for its payment: with its invoice goes the change, and nothing of it can be paid any more. */
export async function giveUpUpgrade(
  stripe: Stripe,
  { pending_update: pending, latest_invoice: invoice }: Stripe.Subscription,
): Promise<void> {
  if (pending === null || invoice === null || typeof invoice === 'string' || invoice.status !== 'open') return
  await stripe.invoices.voidInvoice(invoice.id)
}

async function intentOf(stripe: Stripe, invoice: Stripe.Subscription['latest_invoice']): Promise<Stripe.PaymentIntent | null> {
  if (invoice === null || typeof invoice === 'string') return null
  const payment = invoice.payments?.data.find((each) => each.payment.payment_intent)?.payment.payment_intent
  return payment ? stripe.paymentIntents.retrieve(idOf(payment)) : null
}
