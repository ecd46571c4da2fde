import { ofSql } from './of-sql.ts'

/** Slices of one sync round ask only once for what is new. */
export const syncRounds = ofSql(
  // When the current round had requested all new and revised days; null: not yet, or the last round is over.
  `ALTER TABLE search_type_syncs ADD COLUMN caught_up_at timestamptz`,
)
