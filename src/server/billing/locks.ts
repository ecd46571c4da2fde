import { createLock } from '../database/locks.ts'
import type { Db } from '../database/open.ts'

/** People whose payment is dealt with at the same time in one process, while Stripe is asked. */
const places = 3

export type Lock = <T>(userId: string, work: () => Promise<T>) => Promise<T>

/** One thing at a time for a person's payment: two clicks make one subscription, and of two readings the later one is stored last. */
export function createPersonLock(db: Db): Lock {
  const lock = createLock(db, places)
  return (userId, work) => lock([`billing:${userId}`], work)
}
