import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** How long fetching takes is estimated from its progress since the start. */
export const syncRuns: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // When the current run began, and how many days were left then; null: none is running.
  `ALTER TABLE property_syncs ADD COLUMN run_began_at timestamptz, ADD COLUMN run_days_left integer`,
]
