import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Tells requests that came in before everything giving others access was ended from later ones. */
export const accessVersion: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('ALTER TABLE people ADD COLUMN access_version integer NOT NULL DEFAULT 0').execute(db)
  },
}
