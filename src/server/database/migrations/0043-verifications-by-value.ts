import { ofSql } from './of-sql.ts'

/**
 * Expired links and logins in progress are swept, and those of an account end with its password and second factor. A value may be longer than
 * other kinds of index take.
 */
export const verificationsByValue = ofSql(
  'CREATE INDEX verifications_expiry ON verifications (expires_at)',
  'CREATE INDEX verifications_value ON verifications USING hash (value)',
)
