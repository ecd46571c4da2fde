import { sql } from 'kysely'
import type { Db } from './open.ts'

/**
 * Keeps an account from being deleted until the transaction ends. Returns false at once if a deletion is under way, which may take minutes:
 * work done for everybody leaves that account out, since whatever it stored for it would wait.
 */
export async function isStaying(trx: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM users WHERE id = ${userId} FOR KEY SHARE SKIP LOCKED`.execute(trx)
  return rows.length > 0
}
