import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** How often an address was asked for consent to reports, by all accounts, including deleted ones; and who refused a deleted one's. */
export const reportAsks: Migration = {
  async up(db: Kysely<unknown>) {
    await sql
      .raw(
        `CREATE TABLE report_asks (
          address_hash text PRIMARY KEY, since timestamptz NOT NULL, asks integer NOT NULL,
          day date NOT NULL, asked_on_day integer NOT NULL, refused_at timestamptz)`,
      )
      .execute(db)
  },
}
