import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Slices of one sync round ask only once for what is new. */
export const syncRounds: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // When the current round had requested all new and revised days; null: not yet, or the last round is over.
  `ALTER TABLE search_type_syncs ADD COLUMN caught_up_at timestamptz`,
]
