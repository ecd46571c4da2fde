import { ofSql } from './of-sql.ts'

/**
 * What a rule looks for was only in its title, and becomes a field. All existing rules ignored what is usual and keep doing so; new ones
 * choose.
 */
export const ruleDirection = ofSql(
  `ALTER TABLE alert_conditions
      ADD COLUMN direction text NOT NULL DEFAULT 'falls',
      ADD COLUMN only_unusual boolean NOT NULL DEFAULT true`,
  `UPDATE alert_conditions SET direction = 'rises' WHERE title ILIKE '%spike%'`,
  `ALTER TABLE alert_conditions ALTER COLUMN direction DROP DEFAULT, ALTER COLUMN only_unusual DROP DEFAULT`,
)
