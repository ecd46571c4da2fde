import { ofSql } from './of-sql.ts'

/** Notes in reports that leave the account: a property's notes marked for it. Existing ones stay internal. */
export const notesInReports = ofSql(
  `ALTER TABLE annotations ADD COLUMN in_reports boolean NOT NULL DEFAULT false,
          ADD CHECK (NOT in_reports OR property_id IS NOT NULL)`,
)
