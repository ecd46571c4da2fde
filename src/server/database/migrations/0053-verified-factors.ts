import { ofSql } from './of-sql.ts'

/**
 * Since when a second factor has been on, which the activity log knows only for the latest changes; null: since before the log begins. New
 * ones begin when they are set up, and again when they are confirmed.
 */
export const verifiedFactors = ofSql(
  `ALTER TABLE two_factors ADD COLUMN verified_at timestamptz`,
  `UPDATE two_factors SET verified_at = (
    SELECT max(at) FROM audit_events WHERE audit_events.user_id = two_factors.user_id AND kind = 'two-factor-on')`,
  `ALTER TABLE two_factors ALTER COLUMN verified_at SET DEFAULT now()`,
)
