import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import type { Subscription } from '../../../contract/billing.ts'
import type { PlanId } from '../../../contract/user.ts'
import { createSubscription, refreshSubscription, showSubscription, subscriptionQuery } from '../../api/billing.ts'
import { ApiFailure } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'
import { paths } from '../../paths.ts'

export type StripeAccess = Subscription['checkout']

/** What to do for a chosen plan, given what the server knows about the person. */
type Checkout =
  /** The plan is in force: just now for Free, or paid before or in another tab. */
  | { kind: 'in-force' }
  /** They have another plan; that is changed in the settings. */
  | { kind: 'change' }
  | { kind: 'pay'; clientSecret: string; stripe: StripeAccess }

/** Refetched each time somebody comes to pay, and harmless to repeat. */
export function checkoutQuery(client: QueryClient, plan: PlanId) {
  return queryOptions({ queryKey: ['checkout', plan], queryFn: () => beginCheckout(client, plan), gcTime: 0 })
}

async function beginCheckout(client: QueryClient, plan: PlanId): Promise<Checkout> {
  const subscription = await currentSubscription(client)
  // A granted plan isn't given up in passing either.
  if (subscription.plan !== plan && (isPaying(subscription) || plan === 'free')) return { kind: 'change' }
  if (plan === 'free') {
    await createSubscription('free')
    return await inForce(client)
  }
  if (subscription.plan === plan) return await inForce(client)
  try {
    const clientSecret = await createSubscription(plan)
    if (clientSecret === null) throw new Error('The server gave no client secret')
    return { kind: 'pay', clientSecret, stripe: subscription.checkout }
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 409) throw error
    // Paid at this very moment, elsewhere.
    if ((await askStripe(client)).plan !== plan) throw error
    return await inForce(client)
  }
}

const isPaying = ({ status }: Subscription): boolean => status === 'active' || status === 'past_due'

async function currentSubscription(client: QueryClient): Promise<Subscription> {
  const known = await client.fetchQuery({ ...subscriptionQuery, staleTime: 0 })
  // Started before, and perhaps paid meanwhile: in another tab, or just before a reload.
  return known.status === 'incomplete' ? await askStripe(client) : known
}

async function askStripe(client: QueryClient): Promise<Subscription> {
  const state = await refreshSubscription()
  showSubscription(client, state)
  return state.subscription
}

/** The following screens depend on the person's plan. */
async function inForce(client: QueryClient): Promise<Checkout> {
  await client.invalidateQueries(sessionQuery)
  return { kind: 'in-force' }
}

/** Somebody who pays for one plan can't buy a second one, but is asked in the settings whether to change. */
export function useChangeInstead(plan: PlanId, checkout: Checkout | undefined): void {
  const navigate = useNavigate()
  const isChange = checkout?.kind === 'change'
  useEffect(() => {
    if (isChange) void navigate({ pathname: paths.settings, search: `?change=${plan}` }, { replace: true })
  }, [isChange, plan, navigate])
}
