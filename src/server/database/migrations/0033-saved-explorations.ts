import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Saved segments and views of the explorer. */
export const savedExplorations: Migration = {
  async up(db: Kysely<unknown>) {
    await sql
      .raw(
        `CREATE TABLE saved_explorations (
          id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
          kind text NOT NULL CHECK (kind IN ('segment', 'view')), name text NOT NULL, content text NOT NULL, created_at timestamptz NOT NULL)`,
      )
      .execute(db)
    await sql.raw(`CREATE UNIQUE INDEX saved_explorations_name ON saved_explorations (user_id, kind, lower(name))`).execute(db)
  },
}
