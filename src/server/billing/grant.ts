import type { GrantAsked } from '../../contract/machine.ts'
import { bestPlan } from '../../core/billing/in-force.ts'
import type { Offer } from '../../core/billing/offer.ts'
import { plans } from '../../core/billing/plans.ts'
import { findByName } from '../accounts/service.ts'
import { asServer } from '../audit/origin.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { BillingJobs } from './jobs.ts'
import { createBillingStore } from './store.ts'

type GrantDeps = { db: Db; announce: BillingJobs['announce']; offer: Offer; clock: Clock }

/** @throws Refusal 409 without plans */
export function refuseNothing({ billing }: Offer): void {
  if (billing === 'off')
    throw new Refusal(409, "There's nothing to grant: this installation sells no plans (BILLING=off), so everyone has every feature.")
}

/**
 * Grants somebody a plan without payment. It lasts until it is revoked or they choose Free, whatever Stripe says about them; the
 * consequences (sites that pause or resume) happen in whichever process works on the queue.
 * @returns what to tell the requester
 * @throws Refusal 404 for nobody, 409 if there is nothing to grant
 */
export async function grantPlan({ db, announce, offer, clock }: GrantDeps, { person, plan }: GrantAsked): Promise<string> {
  refuseNothing(offer)
  const userId = await findByName(db, person)
  if (userId === null) throw new Refusal(404, `There is no account "${person}".`)
  const store = createBillingStore(db)
  const paid = bestPlan(await store.subscriptionsOf(userId))
  if (plan !== 'free' && paid !== null)
    throw new Refusal(
      409,
      `${person} pays for the ${plans[paid].name} plan. End that subscription in Stripe's dashboard first, then grant the plan.`,
    )
  const granted = plan === 'free' ? null : plan
  const change = await asServer(() => store.grant(userId, { granted, by: 'house' }, clock.now(), announce))
  if (change) return `${person} is now on the ${plans[change.to].name} plan.`
  return plan === 'free' ? `${person} has no granted plan to take back.` : `${person} already has the ${plans[plan].name} plan.`
}
