import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Reports limited to a segment: a schedule follows it, files and links keep its name and filters as they were. */
export const segmentsOfReports: Migration = {
  async up(db: Kysely<unknown>) {
    await sql
      .raw(
        `ALTER TABLE report_schedules ADD COLUMN segment_id bigint
          CONSTRAINT report_schedules_segment REFERENCES saved_explorations DEFERRABLE INITIALLY DEFERRED`,
      )
      .execute(db)
    await sql.raw(`CREATE INDEX report_schedules_segment_id ON report_schedules (segment_id) WHERE segment_id IS NOT NULL`).execute(db)
    for (const table of ['report_runs', 'report_shares']) await sql.raw(`ALTER TABLE ${table} ADD COLUMN segment jsonb`).execute(db)
  },
}
