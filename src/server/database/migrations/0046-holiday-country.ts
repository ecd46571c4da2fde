import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The country whose public holidays a property has, as Google names it, or `none`; null is guessed from its clicks. */
export const holidayCountry: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`ALTER TABLE properties ADD COLUMN holiday_country text`.execute(db)
  },
}
