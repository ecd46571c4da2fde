import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Which process holds what involves an outside party: messages, report emails, tests, payments (docs/decisions/0051). */
export const leases: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // Like `sync_leases`, which stays: an older version running alongside still uses it.
  `CREATE TABLE leases (
    kind text NOT NULL, key text NOT NULL, user_id text NOT NULL, place text, owner uuid NOT NULL,
    until timestamptz NOT NULL, PRIMARY KEY (kind, key)) WITH (fillfactor = 50)`,
]
