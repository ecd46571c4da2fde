import { ofSql } from './of-sql.ts'

/** When a session last proved its identity, and requested addresses that aren't confirmed yet. */
export const provenSessions = ofSql(
  // A new session starts with a password or a Google sign-in, so with a proof.
  `ALTER TABLE sessions ADD COLUMN proven_at timestamptz NOT NULL DEFAULT now()`,
  `UPDATE sessions SET proven_at = created_at`,
  `ALTER TABLE people ADD COLUMN pending_email text, ADD COLUMN pending_email_until timestamptz`,
)
