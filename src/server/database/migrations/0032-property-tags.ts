import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Tags on people's properties. */
export const propertyTags: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(`ALTER TABLE properties ADD COLUMN tags text[] NOT NULL DEFAULT '{}'`).execute(db)
  },
}
