import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Notes in reports that leave the account: a property's notes marked for it. Existing ones stay internal. */
export const notesInReports: Migration = {
  async up(db: Kysely<unknown>) {
    await sql
      .raw(
        `ALTER TABLE annotations ADD COLUMN in_reports boolean NOT NULL DEFAULT false,
          ADD CHECK (NOT in_reports OR property_id IS NOT NULL)`,
      )
      .execute(db)
  },
}
