import { ofSql } from './of-sql.ts'

/** Hourly figures, and alerts based on them. */
export const hours = ofSql(
  // How far a property's hours are stored; the hours themselves are in the facts.
  `CREATE TABLE hour_syncs (
    property_id bigint PRIMARY KEY REFERENCES properties ON DELETE CASCADE, asked_at timestamptz, through timestamptz,
    complete_through timestamptz, retry_at timestamptz, awaited_until timestamptz, to_tell boolean NOT NULL DEFAULT false)`,

  // Alerts opened by hours. A rule finds a day once: its outcome isn't found again.
  `ALTER TABLE alert_watches ADD COLUMN hours_told bigint NOT NULL DEFAULT 0, ADD COLUMN hours_judged bigint NOT NULL DEFAULT 0`,
  `ALTER TABLE alerts ADD COLUMN basis text NOT NULL DEFAULT 'days' CHECK (basis IN ('days', 'hours')), ADD COLUMN hours jsonb`,
  `CREATE UNIQUE INDEX alerts_hours ON alerts (condition_id, (hours->>'day')) WHERE hours IS NOT NULL`,
  `CREATE INDEX alerts_by_hours ON alerts (property_id) WHERE basis = 'hours' AND recovered_at IS NULL`,
  `ALTER TABLE alert_events ADD COLUMN detail text`,
)
