import { ofSql } from './of-sql.ts'

/** Accounts whose owner deleted them, which are closed and to be erased; and an index of all closed ones, which every check leaves out. */
export const deletedAccounts = ofSql(
  'ALTER TABLE people ADD COLUMN deleted_at timestamptz',
  'CREATE INDEX people_closed ON people (user_id) WHERE closed_at IS NOT NULL',
)
