import { sql } from 'kysely'
import type { Db } from './open.ts'

/** Does a part of a transaction; when it fails nothing of this part remains, and the transaction can go on. */
export async function apart(trx: Db, part: () => Promise<void>): Promise<void> {
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
