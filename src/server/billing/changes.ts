import type { Stripe } from 'stripe'
import type { ChangeAnswer, ChangePreview } from '../../contract/billing.ts'
import type { PlanId } from '../../contract/user.ts'
import { isUpgrade, plans } from '../../core/billing/plans.ts'
import { Refusal } from '../common/errors.ts'
import { endUnpaid } from './checkout.ts'
import type { Current } from './current.ts'
import type { Prices } from './prices.ts'
import { idOf } from './stripe-client.ts'

type Live = NonNullable<Current['live']>
export type Outcome = Pick<ChangeAnswer, 'outcome' | 'clientSecret'>

const scheduled: Outcome = { outcome: 'scheduled', clientSecret: null }
const changed: Outcome = { outcome: 'changed', clientSecret: null }

/**
 * From one paid plan to another: a better one at once, charging the difference; a smaller one at the end of the paid period. Replaces
 * a change that was scheduled earlier. Call it within the person's lock.
 */
export async function changePlan(stripe: Stripe, prices: Prices, live: Live, to: PlanId): Promise<Outcome> {
  const { subscription, plan } = live
  if (to === plan) {
    if (await undoPlanned(stripe, live)) return changed
    throw new Refusal(409, `Your ${plans[plan].name} plan is already active.`)
  }
  if (to === 'free') return cancelPlan(stripe, live)
  await giveUpUpgrade(stripe, subscription)
  if (!isUpgrade(plan, to)) {
    await undoPlanned(stripe, live)
    await planDowngrade(stripe, live, await prices.priceOf(to))
    return scheduled
  }
  if (subscription.status === 'past_due') throw new Refusal(409, 'Your last payment failed. Update your card first, then change the plan.')
  mustGoOn(live)
  await releaseSchedule(stripe, subscription)
  return upgrade(stripe, live, await prices.priceOf(to))
}

/**
 * Ends the subscription at the end of the paid period. While a renewal is unpaid, Stripe already counts its period, for which nothing was
 * paid: then it ends at once, and the open amount isn't charged anymore.
 */
export async function cancelPlan(stripe: Stripe, { subscription }: Live): Promise<Outcome> {
  await giveUpUpgrade(stripe, subscription)
  // Stripe refuses to cancel what a schedule controls.
  await releaseSchedule(stripe, subscription)
  if (subscription.status === 'past_due') {
    await endUnpaid(stripe, subscription.id)
    return changed
  }
  await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  return scheduled
}

/** Cancels a planned downgrade or cancellation; returns false if nothing is planned. */
export async function undoPlanned(stripe: Stripe, { subscription }: Live): Promise<boolean> {
  const released = await releaseSchedule(stripe, subscription)
  if (subscription.cancel_at_period_end) {
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false })
    return true
  }
  if (subscription.cancel_at === null) return released
  await stripe.subscriptions.update(subscription.id, { cancel_at: '' })
  return true
}

async function releaseSchedule(stripe: Stripe, { schedule }: Stripe.Subscription): Promise<boolean> {
  if (schedule === null) return false
  await stripe.subscriptionSchedules.release(idOf(schedule))
  return true
}

async function planDowngrade(stripe: Stripe, { subscription, item }: Live, price: string): Promise<void> {
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id })
  const [present] = schedule.phases
  try {
    if (!present) throw new Refusal(502, "Stripe couldn't schedule the change. Please try again.")
    await stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      phases: [
        { items: [{ price: item.price.id, quantity: 1 }], start_date: present.start_date, end_date: present.end_date },
        { items: [{ price, quantity: 1 }], duration: { interval: 'month', interval_count: 1 }, proration_behavior: 'none' },
      ],
    })
  } catch (error) {
    await stripe.subscriptionSchedules.release(schedule.id)
    throw error
  }
}

/**
 * Stripe can't undo an end on a date of our operator's choice together with an unpaid upgrade, and nobody pays for a plan that ends anyway.
 * @throws Refusal 409
 */
function mustGoOn({ subscription: { cancel_at: end, cancel_at_period_end: endsWithPeriod }, plan }: Live): void {
  if (end === null || endsWithPeriod) return
  const { name } = plans[plan]
  throw new Refusal(409, `Your ${name} plan is set to end. Choose “Keep ${name}” first, then upgrade.`)
}

/** The cost of a change, as calculated by Stripe. */
export async function previewChange(stripe: Stripe, prices: Prices, live: Live, to: PlanId): Promise<ChangePreview> {
  const { subscription, item, plan } = live
  if (to === plan) throw new Refusal(409, `Your ${plans[plan].name} plan is already active.`)
  const at = new Date(item.current_period_end * 1000).toISOString()
  const { price } = plans[to]
  if (to === 'free' && subscription.status === 'past_due') return { takesEffect: 'now', dueNow: 0, price, at: null }
  if (to === 'free' || !isUpgrade(plan, to)) return { takesEffect: 'period_end', dueNow: 0, price, at }
  mustGoOn(live)
  const invoice = await stripe.invoices.createPreview({
    customer: idOf(subscription.customer),
    subscription: subscription.id,
    subscription_details: {
      items: [{ id: item.id, price: await prices.priceOf(to) }],
      proration_behavior: 'always_invoice',
    },
  })
  return { takesEffect: 'now', dueNow: invoice.amount_due / 100, price, at }
}

/**
 * To a better plan, charging the difference. The plan changes only once that is paid: until then Stripe keeps the change as a pending
 * update, and drops it after 23 hours.
 */
async function upgrade(
  stripe: Stripe,
  { subscription, item }: NonNullable<Current['live']>,
  price: string,
): Promise<Pick<ChangeAnswer, 'outcome' | 'clientSecret'>> {
  const updated = await stripe.subscriptions.update(subscription.id, {
    items: [{ id: item.id, price }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
    // The upgrade also undoes a cancellation; an unpaid one leaves it in place.
    ...(subscription.cancel_at_period_end && { cancel_at_period_end: false }),
    expand: ['latest_invoice.payments'],
  })
  if (updated.pending_update === null) return { outcome: 'changed', clientSecret: null }
  const intent = await intentOf(stripe, updated.latest_invoice)
  if (intent?.status === 'requires_action') return { outcome: 'action_required', clientSecret: intent.client_secret }
  await giveUpUpgrade(stripe, updated)
  throw new Refusal(409, intent?.last_payment_error?.message ?? 'Your card was declined. Check it or use another one, then try again.')
}

/** Drops an upgrade waiting for payment: voiding its invoice cancels the change, and it can't be paid anymore. */
async function giveUpUpgrade(stripe: Stripe, { pending_update: pending, latest_invoice: invoice }: Stripe.Subscription): Promise<void> {
  if (pending === null || invoice === null || typeof invoice === 'string' || invoice.status !== 'open') return
  await stripe.invoices.voidInvoice(invoice.id)
}

async function intentOf(stripe: Stripe, invoice: Stripe.Subscription['latest_invoice']): Promise<Stripe.PaymentIntent | null> {
  if (invoice === null || typeof invoice === 'string') return null
  const payment = invoice.payments?.data.find((each) => each.payment.payment_intent)?.payment.payment_intent
  return payment ? stripe.paymentIntents.retrieve(idOf(payment)) : null
}
