import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { withoutLimits } from '../../platform/postgres.ts'

/** PostgreSQL aborted a transaction because of a deadlock. */
const deadlock = '40P01'
const attempts = 3
/** Long enough for others waiting for the same rows to lock them first. */
const pauseMs = 100

/**
 * Deletes a person and all their data in PostgreSQL in one transaction, in which `undoElsewhere` enqueues what has to happen outside of it.
 * Locks the person's row first, like everything that adds to an account. Returns false if the person no longer exists.
 */
export async function eraseAccount(
  db: Db,
  userId: string,
  undoElsewhere: (transaction: Db) => Promise<void> = async () => {},
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(async (transaction) => {
        await sql.raw(withoutLimits).execute(transaction)
        await transaction.selectFrom('people').where('userId', '=', userId).select('userId').forUpdate().execute()
        const user = await transaction.selectFrom('users').where('id', '=', userId).select('id').forUpdate().executeTakeFirst()
        if (!user) return false
        await undoElsewhere(transaction)
        // Pending links and codes name the person in their value, invisible to foreign keys.
        await transaction.deleteFrom('verifications').where('userId', '=', userId).execute()
        await transaction.deleteFrom('users').where('id', '=', userId).execute()
        // Last, as the rest may take minutes. Whoever is asking Google for this person finds its lease gone after this, and stops.
        await transaction.deleteFrom('syncLeases').where('userId', '=', userId).execute()
        await transaction.deleteFrom('leases').where('userId', '=', userId).execute()
        return true
      })
    } catch (error) {
      // A sync noting what it stored locks the same rows in another order.
      const mayRepeat = error instanceof Error && 'code' in error && error.code === deadlock && attempt < attempts
      if (!mayRepeat) throw error
      await sleep(pauseMs)
    }
  }
}
