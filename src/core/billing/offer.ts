import type { Billing, HeldPlan, PlanId } from '../../contract/user.ts'
import { plans } from './plans.ts'

/** What an installation offers: each plan's features, or everything for everybody, with as many sites as its owner allows. */
export type Offer = Readonly<{
  billing: Billing
  /** The owner's own limit where there are no plans; null: none. */
  sitesPerPerson: number | null
}>

/** A user's effective plan; null where nothing is sold. Their stored plan remains, should that change. */
export const planUnder = ({ billing }: Offer, held: PlanId): HeldPlan => (billing === 'off' ? null : held)

/** Maximum number of monitored sites; null: unlimited. */
export const siteLimitUnder = (offer: Offer, held: PlanId): number | null =>
  offer.billing === 'off' ? offer.sitesPerPerson : plans[held].siteLimit

/** Why somebody may not monitor this many sites, naming plans in the words of SPEC §5; null if they may. */
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
