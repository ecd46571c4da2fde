import { ofSql } from './of-sql.ts'

/** How many findings of a rule didn't become alerts in the last evaluation because there were too many. */
export const findingsLeftOut = ofSql(`ALTER TABLE alert_conditions ADD COLUMN left_out integer NOT NULL DEFAULT 0`)
