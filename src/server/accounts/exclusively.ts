import type { Db } from '../database/open.ts'
import { createLock } from '../database/locks.ts'
import { createFairShare } from '../platform/fair-share.ts'

/**
 * Runs what replaces an account's password, or rests on it, alone for this account, in any process: a change verified against the old
 * password must not complete after a reset, and give the account back to whoever was locked out.
 * @throws TooManyWishes
 */
export type Exclusively = <T>(userId: string, work: () => Promise<T>) => Promise<T>

/** Places held at once; each holds a database connection. */
const places = 2

/** An account's second request waits outside, since whoever waits for a lock has a place that others wait for. */
export function createExclusively(db: Db): Exclusively {
  const turns = createFairShare({ places, perTenant: 1, waitingPerTenant: 20 })
  const lock = createLock(db, places)
  return (userId, work) => turns.run(userId, () => lock([`way-in:${userId}`], work))
}
