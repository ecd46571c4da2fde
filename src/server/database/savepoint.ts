import { sql } from 'kysely'
import type { Db } from './open.ts'

/** Runs a part of a transaction; if it fails, the part is rolled back and the transaction can continue. */
export async function inSavepoint(trx: Db, part: () => Promise<void>): Promise<void> {
  await sql`SAVEPOINT part`.execute(trx)
  try {
    await part()
  } catch (error) {
    await sql`ROLLBACK TO SAVEPOINT part`.execute(trx)
    throw error
  } finally {
    await sql`RELEASE SAVEPOINT part`.execute(trx)
  }
}
