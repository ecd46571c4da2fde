import { sql } from 'kysely'
import { withoutLimit } from '../platform/postgres.ts'
import type { Db } from './open.ts'

/** Runs work while nobody else, in any process, works under one of the same keys. */
export type Lock = <T>(keys: readonly string[], work: () => Promise<T>) => Promise<T>

/**
 * Runs one thing at a time per key, over all processes. Keys are always taken in the same order to avoid deadlocks.
 * @param places how many may run at once in this process: each holds a database connection meanwhile
 */
export function createLock(db: Db, places: number): Lock {
  let free = places
  const waiting: (() => void)[] = []
  return async (keys, work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await db.transaction().execute(async (trx) => {
        await sql.raw(withoutLimit).execute(trx)
        const sorted = keys.toSorted()
        await sql`SELECT pg_advisory_xact_lock(hashtextextended(key, 0))
          FROM unnest(${sorted}::text[]) WITH ORDINALITY AS keys (key, place) ORDER BY place`.execute(trx)
        return work()
      })
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
