import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Which rules a property was judged by. */
export const rulesChanged: Migration = {
  async up(db: Kysely<unknown>) {
    // Raised with each change, so that one made while they are judged does not go unnoticed.
    await sql.raw(`ALTER TABLE alert_watches ADD COLUMN rules_changed bigint NOT NULL DEFAULT 0`).execute(db)
  },
}
