import { ofSql } from './of-sql.ts'

/** Reports limited to a segment: a schedule follows it, files and links keep its name and filters as they were. */
export const segmentsOfReports = ofSql(
  `ALTER TABLE report_schedules ADD COLUMN segment_id bigint
          CONSTRAINT report_schedules_segment REFERENCES saved_explorations DEFERRABLE INITIALLY DEFERRED`,
  `CREATE INDEX report_schedules_segment_id ON report_schedules (segment_id) WHERE segment_id IS NOT NULL`,
  `ALTER TABLE report_runs ADD COLUMN segment jsonb`,
  `ALTER TABLE report_shares ADD COLUMN segment jsonb`,
)
