import type { Billing, HeldPlan, PlanId } from '../../contract/user.ts'
import { plans } from './plans.ts'

/** What an installation gives people: what each one's plan has, or everything to everybody, on as many sites as its owner allows. */
export type Offer = Readonly<{
  billing: Billing
  /** The owner's own limit, where no plan sets one; null: none. */
  sitesPerPerson: number | null
}>

/** The plan that counts for somebody; null where nothing is sold. What they held before stays theirs, should that change. */
export const planUnder = ({ billing }: Offer, held: PlanId): HeldPlan => (billing === 'off' ? null : held)

/** How many sites somebody may have monitored; null: as many as they like. */
export const siteLimitUnder = (offer: Offer, held: PlanId): number | null =>
  offer.billing === 'off' ? offer.sitesPerPerson : plans[held].siteLimit

/** Why somebody may not monitor so many sites, with plans in the words of SPEC §5; null when they may. */
export function siteLimitRefusal(offer: Offer, held: PlanId, sites: number): string | null {
  const limit = siteLimitUnder(offer, held)
  if (limit === null || sites <= limit) return null
  return siteLimitWords(planUnder(offer, held), limit)
}

/** The same for screens, which know the limit. */
export const siteLimitWords = (plan: HeldPlan, limit: number): string =>
  plan === null
    ? `This installation allows up to ${limit} site(s) per person.`
    : `Your ${plans[plan].name} plan allows up to ${limit} site(s).`
