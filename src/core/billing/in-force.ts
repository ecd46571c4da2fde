import type { PlanId } from '../../contract/user.ts'
import { isUpgrade } from './plans.ts'

/** What of a subscription decides the plan; `status` is Stripe's word. */
export type Standing = { plan: PlanId; status: string }

/** `past_due`: a renewal failed and Stripe tries it again; the plan stays until Stripe gives up. */
const paidFor: readonly string[] = ['active', 'trialing', 'past_due']

/** Whether a subscription gives its plan. */
export const isLive = ({ status }: Pick<Standing, 'status'>): boolean => paidFor.includes(status)

/** Whether nothing can come of a subscription any more. */
export const isEnded = ({ status }: Pick<Standing, 'status'>): boolean => status === 'canceled' || status === 'incomplete_expired'

/** The best of the plans that are paid for; null when none is. */
export function bestPlan(subscriptions: readonly Standing[]): PlanId | null {
  const live = subscriptions.filter(isLive).map(({ plan }) => plan)
  return live.reduce<PlanId | null>((best, plan) => (best === null || isUpgrade(best, plan) ? plan : best), null)
}

/** The plan of somebody with these subscriptions, to whom whoever runs the installation may have given one: the better of the two. */
export function planInForce(granted: PlanId | null, subscriptions: readonly Standing[]): PlanId {
  const paid = bestPlan(subscriptions) ?? 'free'
  return granted !== null && isUpgrade(paid, granted) ? granted : paid
}
