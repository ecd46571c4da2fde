import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Slices of one round of a sync ask only once for what is new. */
export const syncRounds: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // When the round that goes on had asked for all new and revised days; null: it has not, or the last round is over.
  `ALTER TABLE search_type_syncs ADD COLUMN caught_up_at timestamptz`,
]
