import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** People file their properties under tags. */
export const propertyTags: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(`ALTER TABLE properties ADD COLUMN tags text[] NOT NULL DEFAULT '{}'`).execute(db)
  },
}
