import type { Subscription } from '../../contract/billing.ts'
import type { PaidPlan, PlanId } from '../../contract/user.ts'
import { bestPlan, isLive, planInForce } from '../../core/billing/in-force.ts'
import type { Snapshot } from './store.ts'

/** Stripe gives up a subscription whose first payment was not made by then. */
const payableMs = 23 * 3_600_000

/** What somebody pays for, from what was last read. */
export function subscriptionView(
  { plan, granted }: { plan: PlanId; granted: PaidPlan | null },
  subscriptions: readonly Snapshot[],
  checkout: Subscription['checkout'],
  now: Date,
): Subscription {
  const best = bestPlan(subscriptions)
  const live = subscriptions.find((each) => isLive(each) && each.plan === best)
  if (live) {
    return {
      plan,
      status: live.status === 'past_due' ? 'past_due' : 'active',
      begunPlan: null,
      currentPeriodEnd: live.currentPeriodEnd?.toISOString() ?? null,
      nextPlan: live.nextPlan && planInForce(granted, [{ plan: live.nextPlan, status: 'active' }]),
      card: live.card,
      checkout,
    }
  }
  const begun = subscriptions.findLast(
    ({ status, createdAt }) => status === 'incomplete' && createdAt.getTime() + payableMs > now.getTime(),
  )
  const status = begun ? 'incomplete' : 'none'
  return { plan, status, begunPlan: begun?.plan ?? null, currentPeriodEnd: null, nextPlan: null, card: null, checkout }
}
