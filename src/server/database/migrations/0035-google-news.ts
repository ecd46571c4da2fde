import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The next sync of each property asks which search types it has, as Google News is one of them now. */
export const googleNews: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(`UPDATE property_syncs SET types_probed_at = NULL`).execute(db)
  },
}
