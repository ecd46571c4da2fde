import { ofSql } from './of-sql.ts'

/** Google accounts that log in to an account here, separate from those with synced data (docs/decisions/0048). */
export const googleSignIns = ofSql(
  `CREATE TABLE google_sign_ins (
    google_sub text PRIMARY KEY, user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
    email text NOT NULL, added_at timestamptz NOT NULL DEFAULT now())`,
  `CREATE INDEX google_sign_ins_user ON google_sign_ins (user_id)`,
  // Until now every connected account could also log in. It still can for people who have no other way in, and for those who came in that
  // way.
  `INSERT INTO google_sign_ins (google_sub, user_id, email, added_at)
    SELECT DISTINCT ON (google_sub) google_sub, user_id, email, connected_at FROM google_connections AS held
    WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.user_id = held.user_id AND provider_id = 'credential')
      OR EXISTS (SELECT 1 FROM audit_events AS e WHERE e.user_id = held.user_id AND kind = 'signed-in' AND details->>'with' = 'google')
    ORDER BY google_sub, connected_at DESC`,
)
