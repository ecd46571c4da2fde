import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A migration that runs these statements, in this order. */
export const ofSql = (...statements: readonly string[]): Migration => ({
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
})
