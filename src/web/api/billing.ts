import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { billingEndpoints as endpoints, type ChangeAnswer, type SubscriptionState } from '../../contract/billing.ts'
import type { PlanId, User } from '../../contract/user.ts'
import { call } from './client.ts'
import { setUser } from './session.ts'

/** The catalog, cheapest first; also for visitors. */
export const plansQuery = queryOptions({
  queryKey: [endpoints.plans.path],
  queryFn: ({ signal }) => call(endpoints.plans, { signal }),
})

export const subscriptionQuery = queryOptions({
  queryKey: [endpoints.read.path],
  queryFn: ({ signal }) => call(endpoints.read, { signal }),
})

/** The cost of changing to another plan, refetched each time. */
export function previewQuery(planType: PlanId) {
  return queryOptions({
    queryKey: [endpoints.preview.path, planType],
    queryFn: ({ signal }) => call(endpoints.preview, { body: { planType }, signal }),
    gcTime: 0,
  })
}

/** Free: takes effect at once, returns null. Paid: returns the first payment's client secret; repeating it returns the pending one. */
export async function createSubscription(planType: PlanId): Promise<string | null> {
  const answer = await call(endpoints.create, { body: { planType } })
  return 'clientSecret' in answer ? answer.clientSecret : null
}

export const changePlan = (planType: PlanId): Promise<ChangeAnswer> => call(endpoints.change, { body: { planType } })

/** Undoes a pending cancellation or downgrade. */
export const keepPlan = (): Promise<SubscriptionState> => call(endpoints.resume)

/** The URL of Stripe's page for card and invoices. */
export const portalUrl = async (): Promise<string> => (await call(endpoints.portal)).url

/** The current state at Stripe, without waiting for its webhooks. */
export const refreshSubscription = (): Promise<SubscriptionState> => call(endpoints.refresh)

/** From now on every screen shows this person and this subscription. */
export function showSubscription(client: QueryClient, state: SubscriptionState): void {
  setUser(client, state.user)
  client.setQueryData(subscriptionQuery.queryKey, state.subscription)
}

const tries = 8
const pauseMillis = 750

/**
 * After a payment: polls until the plan is in force, or there is nothing left to wait for, or it gives up for now. Returns the last state.
 */
export async function untilInForce(client: QueryClient, isInForce: (user: User) => boolean): Promise<SubscriptionState> {
  for (let attempt = 1; ; attempt += 1) {
    const state = await refreshSubscription()
    // Nothing was started at Stripe, or it has ended there: no payment is under way.
    const isOver = state.subscription.status === 'none'
    if (isInForce(state.user) || isOver || attempt === tries) {
      showSubscription(client, state)
      return state
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMillis))
  }
}
