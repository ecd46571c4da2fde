import { createLeases, type Lease } from '../database/leases.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'
import type { Log } from '../platform/log.ts'

/** Runs work exclusively for a person; `left` (the client has disconnected) ends the wait. */
export type Lock = <T>(userId: string, work: () => Promise<T>, left?: AbortSignal) => Promise<T>

/** Stripe is called a few times, each for a few seconds at most (stripe-client.ts). */
const patienceMs = 60_000
const againMs = 100

/**
 * One payment action at a time per person, over all processes: two clicks create one subscription, and of two readings the later one is
 * stored last. While waiting for Stripe, no transaction is open and no database connection is taken.
 */
export function createPersonLock(db: Db, log: Log): Lock {
  const leases = createLeases(db, { table: 'leases', kind: 'payment' }, log)
  /** In this process, in order of arrival. */
  const lines = new Map<string, Promise<unknown>>()

  async function leaseOf(userId: string, left?: AbortSignal): Promise<Lease> {
    const end = performance.now() + patienceMs
    for (;;) {
      left?.throwIfAborted()
      const lease = await leases.claim({ key: userId, userId }, { perPerson: 1 })
      if (lease) return lease
      if (performance.now() > end) throw new Refusal(409, 'Another change to your plan is still in progress. Please try again in a minute.')
      await new Promise((resolve) => setTimeout(resolve, againMs))
    }
  }

  async function alone<T>(userId: string, work: () => Promise<T>, left?: AbortSignal): Promise<T> {
    const lease = await leaseOf(userId, left)
    try {
      return await work()
    } finally {
      await lease.release()
    }
  }

  return (userId, work, left) => {
    const before = lines.get(userId) ?? Promise.resolve()
    const mine = before.then(() => alone(userId, work, left))
    const line = mine.catch(() => {}).finally(() => lines.get(userId) === line && lines.delete(userId))
    lines.set(userId, line)
    return mine
  }
}
