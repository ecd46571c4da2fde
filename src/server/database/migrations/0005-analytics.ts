import { ofSql } from './of-sql.ts'

/** What people add to their property's figures: brand terms, notes on days; and Google's ranking announcements. */
export const analytics = ofSql(
  // A saved list may be empty, which differs from none.
  `ALTER TABLE properties ADD COLUMN brand_terms text[], ADD COLUMN brand_version integer NOT NULL DEFAULT 0`,

  `CREATE TABLE annotations (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
    property_id bigint REFERENCES properties ON DELETE CASCADE, date date NOT NULL, text text NOT NULL, created_at timestamptz NOT NULL)`,
  `CREATE INDEX annotations_user ON annotations (user_id, date)`,
  `CREATE INDEX annotations_property ON annotations (property_id)`,

  `CREATE TABLE ranking_incidents (
    id text PRIMARY KEY, title text NOT NULL, starts date NOT NULL, ends date, url text NOT NULL, CHECK (ends >= starts))`,
)
