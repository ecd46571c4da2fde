import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { billingEndpoints as endpoints, type ChangeAnswer, type SubscriptionState } from '../../contract/billing.ts'
import type { PlanId, User } from '../../contract/user.ts'
import { call } from './client.ts'
import { setUser } from './session.ts'

/** The catalogue, cheapest first; also for visitors. */
export const plansQuery = queryOptions({
  queryKey: [endpoints.plans.path],
  queryFn: ({ signal }) => call(endpoints.plans, { signal }),
})

export const subscriptionQuery = queryOptions({
  queryKey: [endpoints.read.path],
  queryFn: ({ signal }) => call(endpoints.read, { signal }),
})

/** What going to another plan would cost, asked anew each time. */
export function previewQuery(planType: PlanId) {
  return queryOptions({
    queryKey: [endpoints.preview.path, planType],
    queryFn: ({ signal }) => call(endpoints.preview, { body: { planType }, signal }),
    gcTime: 0,
  })
}

/**
 * Free: in force at once, and null. Paid: the client secret of the first payment; asking again answers
 * the one that still waits.
 */
export async function createSubscription(planType: PlanId): Promise<string | null> {
  const answer = await call(endpoints.create, { body: { planType } })
  return 'clientSecret' in answer ? answer.clientSecret : null
}

export const changePlan = (planType: PlanId): Promise<ChangeAnswer> => call(endpoints.change, { body: { planType } })

/** Takes back a cancellation or a downgrade that has not happened yet. */
export const keepPlan = (): Promise<SubscriptionState> => call(endpoints.resume)

/** Stripe's own page for card and invoices. */
export const portalUrl = async (): Promise<string> => (await call(endpoints.portal)).url

/** How things stand at Stripe now, without waiting for its webhooks. */
export const refreshSubscription = (): Promise<SubscriptionState> => call(endpoints.refresh)

/** Every screen shows this person and this subscription from now on. */
export function showSubscription(client: QueryClient, state: SubscriptionState): void {
  setUser(client, state.user)
  client.setQueryData(subscriptionQuery.queryKey, state.subscription)
}

const tries = 8
const pauseMillis = 750

/** After a payment: asks until the plan is in force, or nothing is left to wait for, or gives up for now. Answers how things stood last. */
export async function untilInForce(client: QueryClient, isInForce: (user: User) => boolean): Promise<SubscriptionState> {
  for (let attempt = 1; ; attempt += 1) {
    const state = await refreshSubscription()
    // Nothing was begun at Stripe, or it has ended there: no payment is on its way.
    const isOver = state.subscription.status === 'none'
    if (isInForce(state.user) || isOver || attempt === tries) {
      showSubscription(client, state)
      return state
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMillis))
  }
}
