import { sql } from 'kysely'
import { eachStep } from '../../common/each-step.ts'
import type { Db } from '../../database/open.ts'
import { withoutLimits } from '../../platform/postgres.ts'

/**
 * Deletes a person and all their data in PostgreSQL in one transaction. Does nothing if they no longer exist, or while another transaction
 * holds them, such as one that erases them already.
 */
export async function eraseAccount(db: Db, userId: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql.raw(withoutLimits).execute(transaction)
    // First, like everything that changes an account.
    const held = transaction.selectFrom('people').where('userId', '=', userId).select('userId').forUpdate().skipLocked()
    if (!(await held.executeTakeFirst())) return
    // Pending links and codes name the person in their value, invisible to foreign keys.
    await transaction.deleteFrom('verifications').where('userId', '=', userId).execute()
    await transaction.deleteFrom('users').where('id', '=', userId).execute()
    // Last, as the rest may take minutes. Whoever is asking Google for this person finds its lease gone after this, and stops.
    await transaction.deleteFrom('syncLeases').where('userId', '=', userId).execute()
    await transaction.deleteFrom('leases').where('userId', '=', userId).execute()
  })
}

/** Erases all accounts that were deleted and are still there: the process died, the erasure failed, or others had to be erased first. */
export async function eraseDeleted(db: Db): Promise<void> {
  const deleted = await db.selectFrom('people').where('deletedAt', 'is not', null).select('userId').execute()
  await eachStep(
    deleted.map(
      ({ userId }) =>
        () =>
          eraseAccount(db, userId),
    ),
  )
}
