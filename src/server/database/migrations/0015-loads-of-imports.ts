import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Imports remember their loads: on a property that Google fills, all others are Google's. */
export const loadsOfImports: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(`ALTER TABLE imports ADD COLUMN loads jsonb NOT NULL DEFAULT '[]'`).execute(db)
  },
}
