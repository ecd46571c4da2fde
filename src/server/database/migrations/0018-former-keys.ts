import { ofSql } from './of-sql.ts'

/** Links in emails sitting in mailboxes keep working after another SECRET_KEY takes over (docs/decisions/0044). */
export const formerKeys = ofSql(
  // The signing key of links with one purpose, encrypted.
  `CREATE TABLE former_keys (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, purpose text NOT NULL, sealed text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now())`,
)
