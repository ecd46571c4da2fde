import { ofSql } from './of-sql.ts'

/** Saved segments and views of the explorer. */
export const savedExplorations = ofSql(
  `CREATE TABLE saved_explorations (
          id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
          kind text NOT NULL CHECK (kind IN ('segment', 'view')), name text NOT NULL, content text NOT NULL, created_at timestamptz NOT NULL)`,
  `CREATE UNIQUE INDEX saved_explorations_name ON saved_explorations (user_id, kind, lower(name))`,
)
