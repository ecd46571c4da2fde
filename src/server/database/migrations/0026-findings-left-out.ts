import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** How many findings of a rule didn't become alerts in the last evaluation because there were too many. */
export const findingsLeftOut: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(`ALTER TABLE alert_conditions ADD COLUMN left_out integer NOT NULL DEFAULT 0`).execute(db)
  },
}
