import { sql } from 'kysely'
import { createFairShare } from '../platform/fair-share.ts'
import { lockNumber } from '../platform/postgres.ts'
import { abandonedNow } from '../platform/tenant.ts'
import type { Db } from './open.ts'

/** Constants, and ids that the server makes: nothing that people choose (see `lockNumber`). */
export type LockName = 'demo' | `${'way-in' | 'import-rows' | 'alerts'}:${string}`

export type Locks = {
  /** Runs work while nobody else, in any process, works under one of the same keys; waits for those who do, but not forever. */
  all<T>(keys: readonly LockName[], work: () => Promise<T>): Promise<T>
  /** Same for those of the keys under which nobody works at present, without waiting; they are handed to `work`. */
  free<T>(keys: readonly LockName[], work: (keys: ReadonlySet<LockName>) => Promise<T>): Promise<T>
}

/** They are taken as they come. */
const everybody = ''
const numberOfKey = sql.raw(lockNumber('key'))

/**
 * Runs one thing at a time per key, over all processes. Keys are always taken in the same order to avoid deadlocks.
 * @param places how many may run at once in this process: each holds a database connection meanwhile
 * @param patience how long `all` waits for the others, as PostgreSQL writes it: whoever waits keeps a place
 */
export function createLocks(db: Db, places: number, patience = '1min'): Locks {
  const share = createFairShare({ places, perTenant: places })

  /** Waits for a place until nobody waits for the work. */
  function inTransaction<T>(work: (trx: Db) => Promise<T>): Promise<T> {
    const transaction = () =>
      db.transaction().execute(async (trx) => {
        await sql`SELECT set_config('statement_timeout', ${patience}, true), set_config('lock_timeout', '0', true)`.execute(trx)
        return work(trx)
      })
    return share.run(everybody, transaction, { signal: abandonedNow() })
  }

  return {
    all: (keys, work) =>
      inTransaction(async (trx) => {
        await sql`SELECT pg_advisory_xact_lock(${numberOfKey})
          FROM unnest(${keys.toSorted()}::text[]) WITH ORDINALITY AS keys (key, place) ORDER BY place`.execute(trx)
        return work()
      }),
    free: (keys, work) =>
      inTransaction(async (trx) => {
        const { rows } = await sql<{
          key: LockName
          isTaken: boolean
        }>`SELECT key, pg_try_advisory_xact_lock(${numberOfKey}) AS is_taken
          FROM unnest(${[...keys]}::text[]) AS keys (key)`.execute(trx)
        return work(new Set(rows.flatMap(({ key, isTaken }) => (isTaken ? [key] : []))))
      }),
  }
}
