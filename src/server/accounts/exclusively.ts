import type { Locks } from '../database/locks.ts'
import { createFairCrowds } from '../common/network-turns.ts'
import { createFairShare } from '../platform/fair-share.ts'
import { leftNow, originNow, withoutTurns } from '../platform/tenant.ts'
import { type Hashed, nothingHashed, withHashed } from './passwords/password-hashing.ts'

/**
 * Runs work that replaces an account's password, or depends on it, one at a time per account across all processes: a change verified
 * against the old password must not complete after a reset and give the account back to whoever was locked out. `work` must not hash
 * anything, which would hold up others while it waits in its network's queue; what it needs is hashed before.
 * @throws TooManyRequests; Abandoned if the client leaves before `work` begins
 */
export type Exclusively = <T>(userId: string, work: () => Promise<T>, hashed?: Hashed) => Promise<T>

/** Places held at once in this process; each holds a database connection. */
export const exclusivePlaces = 4

/** Networks take turns at the places, one at a time each, and within a network its accounts do. */
export function createExclusively(locks: Pick<Locks, 'all'>): Exclusively {
  const inNetwork = createFairCrowds({ places: 1, perTenant: 1, waitingPerTenant: 20 })
  const turns = createFairShare({ places: exclusivePlaces, perTenant: 1 })
  return (userId, work, hashed = nothingHashed) => {
    const options = { signal: leftNow() }
    const alone = () => locks.all([`way-in:${userId}`], () => withHashed(hashed, work))
    return inNetwork(userId, () => turns.run(originNow(), () => withoutTurns(alone), options), options)
  }
}
