import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Rules about search types other than web. An alert keeps the type it was opened for. */
export const searchTypesOfRules: Migration = {
  async up(db: Kysely<unknown>) {
    const column = `ADD COLUMN search_type text NOT NULL DEFAULT 'web'
      CHECK (search_type IN ('web', 'image', 'video', 'news', 'discover', 'googleNews'))`
    await sql.raw(`ALTER TABLE alert_conditions ${column}`).execute(db)
    await sql.raw(`ALTER TABLE alerts ${column}`).execute(db)
  },
}
