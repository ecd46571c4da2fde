import { sql } from 'kysely'
import { withoutLimit } from '../platform/postgres.ts'
import type { Db } from './open.ts'

export type Locks = {
  /** Runs work while nobody else, in any process, works under one of the same keys; waits for those who do. */
  all<T>(keys: readonly string[], work: () => Promise<T>): Promise<T>
  /** Same for those of the keys under which nobody works at present, without waiting; they are handed to `work`. */
  free<T>(keys: readonly string[], work: (keys: ReadonlySet<string>) => Promise<T>): Promise<T>
}

/**
 * Runs one thing at a time per key, over all processes. Keys are always taken in the same order to avoid deadlocks.
 * @param places how many may run at once in this process: each holds a database connection meanwhile
 */
export function createLocks(db: Db, places: number): Locks {
  let left = places
  const waiting: (() => void)[] = []

  async function inTransaction<T>(work: (trx: Db) => Promise<T>): Promise<T> {
    if (left > 0) left -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await db.transaction().execute(async (trx) => {
        await sql.raw(withoutLimit).execute(trx)
        return work(trx)
      })
    } finally {
      const next = waiting.shift()
      if (next) next()
      else left += 1
    }
  }

  return {
    all: (keys, work) =>
      inTransaction(async (trx) => {
        await sql`SELECT pg_advisory_xact_lock(hashtextextended(key, 0))
          FROM unnest(${keys.toSorted()}::text[]) WITH ORDINALITY AS keys (key, place) ORDER BY place`.execute(trx)
        return work()
      }),
    free: (keys, work) =>
      inTransaction(async (trx) => {
        const { rows } = await sql<{
          key: string
          isTaken: boolean
        }>`SELECT key, pg_try_advisory_xact_lock(hashtextextended(key, 0)) AS is_taken
          FROM unnest(${[...keys]}::text[]) AS keys (key)`.execute(trx)
        return work(new Set(rows.flatMap(({ key, isTaken }) => (isTaken ? [key] : []))))
      }),
  }
}
