import { ofSql } from './of-sql.ts'

/** Which rules a property was evaluated by. */
export const rulesChanged = ofSql(
  // Incremented with each change, so that one made during an evaluation is noticed.
  `ALTER TABLE alert_watches ADD COLUMN rules_changed bigint NOT NULL DEFAULT 0`,
)
