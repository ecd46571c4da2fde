import type { Stripe } from 'stripe'
import type { PlanId } from '../../contract/user.ts'
import { isEnded, isLive } from '../../core/billing/in-force.ts'
import type { Prices } from './prices.ts'
import { idOf, type StripeClient } from './stripe-client.ts'
import { isMissing } from './stripe-problem.ts'
import type { Card, Reading } from './store.ts'

const fromSeconds = (seconds: number): Date => new Date(seconds * 1000)

/** One page of Stripe's, newest first. A new subscription ends those started before it, so that a customer has one or two not over. */
const limit = 100

/**
 * A customer's subscriptions that aren't over, with everything that decides a plan; few, however many they had.
 * @throws if Stripe doesn't know the customer at all: the keys belong to another account
 */
export async function listUnended(stripe: Stripe, customer: string): Promise<Stripe.Subscription[]> {
  const expand = ['data.default_payment_method', 'data.schedule', 'data.latest_invoice']
  const listed = await listOf(stripe, { customer, limit, expand })
  return listed.filter((each) => !isEnded(each))
}

/** A customer's subscriptions that aren't over, and the newest of those that are, as they are needed to say how they ended. */
export async function listNewest(stripe: Stripe, customer: string): Promise<Stripe.Subscription[]> {
  const unended = await listUnended(stripe, customer)
  const ended = await listOf(stripe, { customer, limit, status: 'ended' })
  // One that ended in between is in both.
  return [...new Map([...unended, ...ended].map((each) => [each.id, each])).values()]
}

async function listOf(stripe: Stripe, wanted: Stripe.SubscriptionListParams & { customer: string }): Promise<Stripe.Subscription[]> {
  try {
    return (await stripe.subscriptions.list(wanted)).data
  } catch (error) {
    if (!isMissing(error)) throw error
    const known = await stripe.customers.retrieve(wanted.customer)
    if (known.deleted) return []
    throw error
  }
}

/** The one price of a subscription; ours have one. */
export const itemOf = (subscription: Stripe.Subscription): Stripe.SubscriptionItem | undefined => subscription.items.data[0]

export function createSnapshots({ client, prices }: { client: StripeClient; prices: Prices }) {
  /** A subscription as we store it; null if it isn't for one of our plans. `held`: its plan as stored so far. */
  async function snapshotOf(subscription: Stripe.Subscription, held: PlanId | undefined): Promise<Reading | null> {
    const item = itemOf(subscription)
    const plan = item && ((await prices.planOf(item.price)) ?? held)
    if (!item || !plan) return null
    return {
      id: subscription.id,
      plan,
      status: subscription.status,
      currentPeriodEnd: fromSeconds(item.current_period_end),
      nextPlan: isLive(subscription) ? await nextPlanOf(subscription, plan) : null,
      card: isLive(subscription) ? await cardOf(subscription) : null,
      createdAt: fromSeconds(subscription.created),
      nextAttemptAt: nextAttemptOf(subscription),
    }
  }

  async function nextPlanOf(subscription: Stripe.Subscription, plan: PlanId): Promise<PlanId | null> {
    if (subscription.cancel_at_period_end || subscription.cancel_at !== null) return 'free'
    const { schedule } = subscription
    if (schedule === null || typeof schedule === 'string') return null
    const ends = schedule.current_phase?.end_date
    const [next] = schedule.phases.find((phase) => ends !== undefined && phase.start_date >= ends)?.items ?? []
    const planned = next ? await prices.planOf(next.price) : null
    return planned === plan ? null : planned
  }

  async function cardOf({ default_payment_method: own, customer }: Stripe.Subscription): Promise<Card | null> {
    if (own !== null && typeof own !== 'string') return toCard(own)
    const expand = ['invoice_settings.default_payment_method']
    const payer = await (await client()).customers.retrieve(idOf(customer), { expand })
    const method = payer.deleted ? null : payer.invoice_settings.default_payment_method
    return method === null || typeof method === 'string' ? null : toCard(method)
  }

  return { snapshotOf }
}
export type Snapshots = ReturnType<typeof createSnapshots>

function nextAttemptOf({ latest_invoice: invoice }: Stripe.Subscription): Date | null {
  const at = invoice === null || typeof invoice === 'string' ? null : invoice.next_payment_attempt
  return at === null ? null : fromSeconds(at)
}

function toCard({ card }: Stripe.PaymentMethod): Card | null {
  return card ? { brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year } : null
}
