import { ofSql } from './of-sql.ts'

/** The search appearances of days that are already stored are still to be fetched; later days come with theirs. */
export const searchAppearances = ofSql(
  `ALTER TABLE search_type_syncs ADD COLUMN appearances_due boolean NOT NULL DEFAULT false`,
  `UPDATE search_type_syncs SET appearances_due = true WHERE backfilled_from IS NOT NULL`,
)
