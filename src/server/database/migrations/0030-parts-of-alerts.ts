import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Findings with one cause become one alert, with the others as its parts. Existing ones stay separate, as they were sent. */
export const partsOfAlerts: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(`ALTER TABLE alerts ADD COLUMN part_of bigint REFERENCES alerts (id) ON DELETE SET NULL`).execute(db)
    await sql.raw(`CREATE INDEX alerts_part_of ON alerts (part_of) WHERE part_of IS NOT NULL`).execute(db)
  },
}
