import { createFairCrowds } from '../common/network-turns.ts'
import { createFairShare } from '../platform/fair-share.ts'
import { leftNow, originNow, withoutTurns } from '../platform/tenant.ts'
import type { Lock } from './locks.ts'

/**
 * Actions at Stripe at a time in this process: its rate limit is for the whole installation, and what one action reads of it stays in
 * memory meanwhile. Webhooks and jobs have places of their own, since Stripe gives up on a server that is slow to answer.
 */
const places = { people: 5, ofNetwork: 3, ownWork: 3 } as const
const waitingPerAccount = 10

/**
 * Fair access to Stripe: networks take turns, and within a network its accounts do, one action at a time each. An action enters its network's own
 * places, then takes its person's lock, then one of the places that all networks share: so nobody holds a lock, which webhooks need too, for
 * longer than one turn of each network. A wait ends once its client has left: nothing has begun.
 */
export function createTurns(alone: Lock) {
  const inNetwork = createFairCrowds({ places: places.ofNetwork, perTenant: 1, waitingPerTenant: waitingPerAccount })
  const people = createFairShare({ places: places.people, perTenant: places.ofNetwork })
  const ownWork = createFairShare({ places: places.ownWork, perTenant: 1, waitingPerTenant: waitingPerAccount })
  const atStripe = <T>(work: () => Promise<T>): Promise<T> => people.run(originNow(), () => withoutTurns(work), { signal: leftNow() })

  return {
    /** An action that a person asked for, alone with their subscriptions. */
    locked: ((userId, work) =>
      inNetwork(userId, () => alone(userId, () => atStripe(work), leftNow()), { signal: leftNow() })) satisfies Lock,

    /** One that changes nothing. */
    unlocked: ((userId, work) => inNetwork(userId, () => atStripe(work), { signal: leftNow() })) satisfies Lock,

    /** The server's own work for a person: a webhook, which is done even if Stripe doesn't wait for the answer, or a job. */
    own: ((userId, work) => alone(userId, () => ownWork.run(userId, () => withoutTurns(work)))) satisfies Lock,

    /** The same for a customer whose account is gone. */
    ownUnlocked: <T>(customer: string, work: () => Promise<T>): Promise<T> => ownWork.run(customer, work),
  }
}
