import type { Stripe } from 'stripe'
import type { PlanId } from '../../contract/user.ts'
import { bestPlan, isLive } from '../../core/billing/in-force.ts'
import type { Prices } from './prices.ts'
import { itemOf, listUnended } from './snapshot.ts'

/** A person's subscriptions to our plans, as they are at Stripe right now. */
export type Current = {
  /** The one that grants the plan. */
  live: { subscription: Stripe.Subscription; item: Stripe.SubscriptionItem; plan: PlanId } | null
  /** Neither granting a plan nor over: started but not paid yet, or left unpaid. Could still be charged. */
  unfinished: { subscription: Stripe.Subscription; plan: PlanId }[]
}

export async function currentOf(stripe: Stripe, prices: Prices, customer: string): Promise<Current> {
  const all = await Promise.all(
    (await listUnended(stripe, customer)).map(async (subscription) => {
      const item = itemOf(subscription)
      const plan = item ? await prices.planOf(item.price) : null
      return item && plan ? { subscription, item, plan, status: subscription.status } : null
    }),
  )
  const ours = all.filter((each) => each !== null)
  const best = bestPlan(ours)
  return {
    live: ours.find((each) => isLive(each) && each.plan === best) ?? null,
    unfinished: ours.filter((each) => !isLive(each)),
  }
}
