import { ofSql } from './of-sql.ts'

/** How often a network asked for emails to an address that hasn't answered; and since when an account's recipients have to agree again. */
export const letterCounts = ofSql(
  `CREATE TABLE letter_counts (
          about text NOT NULL, address_hash text NOT NULL, network_hash text NOT NULL,
          since timestamptz NOT NULL, asks integer NOT NULL,
          PRIMARY KEY (about, address_hash, network_hash))`,
  'CREATE INDEX letter_counts_since ON letter_counts (since)',
  'ALTER TABLE report_recipients ADD COLUMN links_count_from timestamptz',
)
