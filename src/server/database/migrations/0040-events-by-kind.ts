import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Every event counts the account's others of its kind, and every noted use of a key looks for its earlier ones. */
export const eventsByKind: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('CREATE INDEX audit_events_of_kind ON audit_events (user_id, kind, id)').execute(db)
    await sql.raw(`CREATE INDEX audit_events_of_key ON audit_events (user_id, (details->>'id')) WHERE kind = 'key-used'`).execute(db)
  },
}
