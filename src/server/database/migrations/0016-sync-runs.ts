import { ofSql } from './of-sql.ts'

/** How long fetching takes is estimated from its progress since the start. */
export const syncRuns = ofSql(
  // When the current run began, and how many days were left then; null: none is running.
  `ALTER TABLE property_syncs ADD COLUMN run_began_at timestamptz, ADD COLUMN run_days_left integer`,
)
