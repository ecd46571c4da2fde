import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When a session last proved its identity, and requested addresses that aren't confirmed yet. */
export const provenSessions: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // A new session starts with a password or a Google sign-in, so with a proof.
  `ALTER TABLE sessions ADD COLUMN proven_at timestamptz NOT NULL DEFAULT now()`,
  `UPDATE sessions SET proven_at = created_at`,
  `ALTER TABLE people ADD COLUMN pending_email text, ADD COLUMN pending_email_until timestamptz`,
]
