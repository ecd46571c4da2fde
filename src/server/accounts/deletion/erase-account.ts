import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'

/** PostgreSQL ended a transaction because it and another one waited for each other. */
const deadlock = '40P01'
const attempts = 3
/** Long enough for whoever waited for the same rows to get hold of them first. */
const pauseMs = 100

/**
 * Deletes a person with everything that is theirs in PostgreSQL, in one transaction in which `undoElsewhere` puts into
 * the job queue what has to happen outside of it. The person's row is locked first, as by everyone who gives
 * somebody something. Answers false when there is no such person any more.
 */
export async function eraseAccount(
  db: Db,
  userId: string,
  undoElsewhere: (transaction: Db) => Promise<void> = async () => {},
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(async (transaction) => {
        await transaction.selectFrom('people').where('userId', '=', userId).select('userId').forUpdate().execute()
        const user = await transaction.selectFrom('users').where('id', '=', userId).select('id').forUpdate().executeTakeFirst()
        if (!user) return false
        await undoElsewhere(transaction)
        // Links and codes under way name the person in their value, which no foreign key knows of.
        await transaction
          .deleteFrom('verifications')
          .where(sql<boolean>`position(${userId} in value) > 0`)
          .execute()
        // Whoever is just asking Google for this person finds its hold gone, and stops.
        await transaction.deleteFrom('syncLeases').where('userId', '=', userId).execute()
        await transaction.deleteFrom('leases').where('userId', '=', userId).execute()
        await transaction.deleteFrom('users').where('id', '=', userId).execute()
        return true
      })
    } catch (error) {
      // A sync that is just noting what it stored takes the same rows in another order.
      const mayRepeat = error instanceof Error && 'code' in error && error.code === deadlock && attempt < attempts
      if (!mayRepeat) throw error
      await sleep(pauseMs)
    }
  }
}
