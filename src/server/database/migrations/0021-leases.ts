import { ofSql } from './of-sql.ts'

/** Which process holds what involves an outside party: messages, report emails, tests, payments (docs/decisions/0051). */
export const leases = ofSql(
  // Like `sync_leases`, which stays: an older version running alongside still uses it.
  `CREATE TABLE leases (
    kind text NOT NULL, key text NOT NULL, user_id text NOT NULL, place text, owner uuid NOT NULL,
    until timestamptz NOT NULL, PRIMARY KEY (kind, key)) WITH (fillfactor = 50)`,
)
