import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What a rule looks for was only in its title, and becomes a field. All rules so far ignored what is usual and keep doing so; new ones
 * choose.
 */
export const ruleDirection: Migration = {
  async up(db: Kysely<unknown>) {
    await sql
      .raw(`ALTER TABLE alert_conditions
      ADD COLUMN direction text NOT NULL DEFAULT 'falls',
      ADD COLUMN only_unusual boolean NOT NULL DEFAULT true`)
      .execute(db)
    await sql.raw(`UPDATE alert_conditions SET direction = 'rises' WHERE title ILIKE '%spike%'`).execute(db)
    await sql.raw(`ALTER TABLE alert_conditions ALTER COLUMN direction DROP DEFAULT, ALTER COLUMN only_unusual DROP DEFAULT`).execute(db)
  },
}
