import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Dismissed notices are kept, so that the account export includes them. */
export const dismissedNotices: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(`ALTER TABLE notices ADD COLUMN dismissed_at timestamptz`).execute(db)
  },
}
