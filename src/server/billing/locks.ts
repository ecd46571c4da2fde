import { sql } from 'kysely'
import type { Db } from '../database/open.ts'

/** People whose payment is dealt with at the same time in one process: each holds a database connection while Stripe is asked. */
const places = 3

export type Lock = <T>(userId: string, work: () => Promise<T>) => Promise<T>

/**
 * One thing at a time for a person's payment, over all processes: two clicks make one subscription,
 * and of two readings the later one is stored last.
 */
export function createLock(db: Db): Lock {
  let free = places
  const waiting: (() => void)[] = []
  return async (userId, work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await db.transaction().execute(async (trx) => {
        await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`billing:${userId}`}, 0))`.execute(trx)
        return work()
      })
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
