import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Who opened a link in an email isn't the account's owner: their network address and browser are not the owner's to see. */
export const readersOfLinks: Migration = {
  async up(db: Kysely<unknown>) {
    await sql
      .raw(
        `ALTER TABLE audit_events DROP CONSTRAINT audit_events_actor_check,
          ADD CONSTRAINT audit_events_actor_check CHECK (actor IN ('person', 'key', 'house', 'reader'))`,
      )
      .execute(db)
  },
}
