import type { PlanId } from '../../contract/user.ts'
import { isUpgrade } from './plans.ts'

/** The part of a subscription that decides the plan; `status` is Stripe's term. */
export type SubscriptionState = { plan: PlanId; status: string }

/** `past_due`: a renewal failed and Stripe retries it; the plan stays until Stripe gives up. */
const paidFor: readonly string[] = ['active', 'trialing', 'past_due']

/** Whether a subscription grants its plan. */
export const isLive = ({ status }: Pick<SubscriptionState, 'status'>): boolean => paidFor.includes(status)

/** Whether a subscription is over for good. */
export const isEnded = ({ status }: Pick<SubscriptionState, 'status'>): boolean => status === 'canceled' || status === 'incomplete_expired'

/** The best of the paid plans; null if none is paid. */
export function bestPlan(subscriptions: readonly SubscriptionState[]): PlanId | null {
  const live = subscriptions.filter(isLive).map(({ plan }) => plan)
  return live.reduce<PlanId | null>((best, plan) => (best === null || isUpgrade(best, plan) ? plan : best), null)
}

/** The plan of a user with these subscriptions, whom the operator may have granted one: the better of the two. */
export function planInForce(granted: PlanId | null, subscriptions: readonly SubscriptionState[]): PlanId {
  const paid = bestPlan(subscriptions) ?? 'free'
  return granted !== null && isUpgrade(paid, granted) ? granted : paid
}
