import { sql } from 'kysely'
import type { Db } from './open.ts'

/**
 * Keeps an account from being deleted until the transaction ends. False, without waiting, if it is being deleted, which may take minutes: what
 * works for everybody leaves it out then, since whatever it stores for that account would wait.
 */
export async function isStaying(trx: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM users WHERE id = ${userId} FOR KEY SHARE SKIP LOCKED`.execute(trx)
  return rows.length > 0
}
