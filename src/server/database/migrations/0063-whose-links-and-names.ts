import { ofSql } from './of-sql.ts'

/**
 * Whose account a pending link, login in progress or trusted browser is about, and for links about an address (whose value is JSON), what
 * they do. Both are derived from the value, so processes of the previous version, which may still be running, set them as well. They write
 * no kind: of their links, only those that undo a change last longer than a day. A value may be longer than other kinds of index take.
 *
 * And usernames that accounts gave up: nobody else gets them at once.
 */
export const whoseLinksAndNames = ofSql(
  `ALTER TABLE verifications
    ADD COLUMN user_id text GENERATED ALWAYS AS (CASE WHEN value LIKE '{%' THEN value::jsonb ->> 'userId' ELSE value END) STORED,
    ADD COLUMN kind text GENERATED ALWAYS AS (CASE WHEN value LIKE '{%' THEN coalesce(value::jsonb ->> 'kind',
      CASE WHEN expires_at - created_at > interval '2 days' THEN 'undo-address' ELSE 'confirm-address' END) END) STORED`,
  'CREATE INDEX verifications_user ON verifications USING hash (user_id)',
  `CREATE TABLE former_usernames (
    name text PRIMARY KEY, user_id text NOT NULL REFERENCES users ON DELETE CASCADE, reserved_until timestamptz NOT NULL)`,
  'CREATE INDEX former_usernames_user ON former_usernames (user_id)',
)
