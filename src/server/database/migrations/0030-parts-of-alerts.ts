import { ofSql } from './of-sql.ts'

/** Findings with one cause become one alert, with the others as its parts. Existing ones stay separate, as they were sent. */
export const partsOfAlerts = ofSql(
  `ALTER TABLE alerts ADD COLUMN part_of bigint REFERENCES alerts (id) ON DELETE SET NULL`,
  `CREATE INDEX alerts_part_of ON alerts (part_of) WHERE part_of IS NOT NULL`,
)
