import type { PlanId } from '../../contract/user.ts'

/** What a plan costs and allows (SPEC §6, §9). Prices in US dollars a month. */
export type Plan = {
  id: PlanId
  name: string
  price: number
  siteLimit: number
}

export const plans: Record<PlanId, Plan> = {
  free: { id: 'free', name: 'Free', price: 0, siteLimit: 1 },
  pro: { id: 'pro', name: 'Pro', price: 9, siteLimit: 5 },
  agency: { id: 'agency', name: 'Agency', price: 29, siteLimit: 25 },
}

/** Why a plan does not allow that many sites, in the words of SPEC §5; null when it does. */
export function siteLimitRefusal(planId: PlanId, sites: number): string | null {
  const plan = plans[planId]
  return sites > plan.siteLimit ? `Your ${plan.name} plan allows up to ${plan.siteLimit} site(s).` : null
}
