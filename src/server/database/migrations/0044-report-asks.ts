import { ofSql } from './of-sql.ts'

/** How often an address was asked for consent to reports, by all accounts, including deleted ones; and who refused a deleted one's. */
export const reportAsks = ofSql(
  `CREATE TABLE report_asks (
          address_hash text PRIMARY KEY, since timestamptz NOT NULL, asks integer NOT NULL,
          day date NOT NULL, asked_on_day integer NOT NULL, refused_at timestamptz)`,
)
