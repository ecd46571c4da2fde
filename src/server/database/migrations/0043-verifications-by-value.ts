import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Expired links and logins in progress are swept, and those of an account end with its password and second factor. A value may be longer than
 * other kinds of index take.
 */
export const verificationsByValue: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('CREATE INDEX verifications_expiry ON verifications (expires_at)').execute(db)
    await sql.raw('CREATE INDEX verifications_value ON verifications USING hash (value)').execute(db)
  },
}
