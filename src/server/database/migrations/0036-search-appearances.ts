import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The search appearances of days that are already stored are still to be fetched; later days come with theirs. */
export const searchAppearances: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(`ALTER TABLE search_type_syncs ADD COLUMN appearances_due boolean NOT NULL DEFAULT false`).execute(db)
    await sql.raw(`UPDATE search_type_syncs SET appearances_due = true WHERE backfilled_from IS NOT NULL`).execute(db)
  },
}
