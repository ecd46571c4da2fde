import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Which rules a property was evaluated by. */
export const rulesChanged: Migration = {
  async up(db: Kysely<unknown>) {
    // Incremented with each change, so that one made during an evaluation is noticed.
    await sql.raw(`ALTER TABLE alert_watches ADD COLUMN rules_changed bigint NOT NULL DEFAULT 0`).execute(db)
  },
}
