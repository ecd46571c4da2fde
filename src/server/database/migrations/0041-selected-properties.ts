import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Deleting a property looks for people who have it selected. */
export const selectedProperties: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('CREATE INDEX people_selected_property ON people (selected_property_id)').execute(db)
  },
}
