import { type ChangePreview, planChoice, type Subscription } from '../../../src/contract/billing.ts'
import type { PlanId, User } from '../../../src/contract/user.ts'
import { isUpgrade, plans } from '../../../src/core/billing/plans.ts'
import type { Desk } from './desk.ts'
import { signIn, subscriptionOf, userOf } from './usual.ts'

/** When the paid period ends: a month from the screens' current day. */
export const periodEnd = '2026-04-18T19:00:00.000Z'

/** The price of a change, regardless of the period: the difference for a better plan, immediately. */
const previewOf = (from: PlanId, to: PlanId): ChangePreview => ({
  takesEffect: isUpgrade(from, to) ? 'now' : 'period_end',
  dueNow: Math.max(0, plans[to].price - plans[from].price),
  price: plans[to].price,
  at: periodEnd,
})

/** A paying user: the server's answers about their plan change with their choices. */
export function pays(desk: Desk, plan: PlanId, change: { user?: Partial<User>; subscription?: Partial<Subscription> } = {}): void {
  let user = userOf({ plan, siteLimit: plans[plan].siteLimit, ...change.user })
  let subscription = subscriptionOf({ plan, currentPeriodEnd: periodEnd, ...change.subscription })
  const state = (changes: Partial<Subscription>) => {
    subscription = { ...subscription, ...changes }
    user = { ...user, plan: subscription.plan, siteLimit: plans[subscription.plan].siteLimit }
    signIn(desk, user)
    return { user, subscription }
  }
  signIn(desk, user)
  desk.answer('GET /api/subscription', () => subscription)
  desk.answer('POST /api/subscription/preview', ({ body }) => previewOf(subscription.plan, planChoice.parse(body).planType))
  desk.answer('POST /api/subscription/change', ({ body }) => {
    const { planType } = planChoice.parse(body)
    return isUpgrade(subscription.plan, planType)
      ? { ...state({ plan: planType, nextPlan: null }), outcome: 'changed', clientSecret: null }
      : { ...state({ nextPlan: planType }), outcome: 'scheduled', clientSecret: null }
  })
  desk.answer('POST /api/subscription/resume', () => state({ nextPlan: null }))
}
