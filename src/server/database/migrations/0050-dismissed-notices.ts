import { ofSql } from './of-sql.ts'

/** Dismissed notices are kept, so that the account export includes them. */
export const dismissedNotices = ofSql(`ALTER TABLE notices ADD COLUMN dismissed_at timestamptz`)
