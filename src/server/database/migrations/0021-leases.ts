import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Who has what in hand that asks somebody outside: messages, mails with reports, tests, payments (docs/decisions/0051). */
export const leases: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // As `sync_leases`, which stays: an older version that still runs beside this one goes on using it.
  `CREATE TABLE leases (
    kind text NOT NULL, key text NOT NULL, user_id text NOT NULL, place text, owner uuid NOT NULL,
    until timestamptz NOT NULL, PRIMARY KEY (kind, key)) WITH (fillfactor = 50)`,
]
