import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** How long fetching takes is told from how much has come since it began. */
export const syncRuns: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // When the run that goes on began, and how many days were left then; null: none goes on.
  `ALTER TABLE property_syncs ADD COLUMN run_began_at timestamptz, ADD COLUMN run_days_left integer`,
]
