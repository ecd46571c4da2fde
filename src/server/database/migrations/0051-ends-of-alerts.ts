import { ofSql } from './of-sql.ts'

/** Alerts say why they ended; for earlier ones, their events do. */
export const endsOfAlerts = ofSql(
  'ALTER TABLE alerts ADD COLUMN ended jsonb',
  `UPDATE alerts SET ended = jsonb_build_object('reason', last.reason)
    FROM (SELECT DISTINCT ON (alert_id) alert_id, reason FROM alert_events
      WHERE to_state = 'recovered' AND from_state IS DISTINCT FROM 'recovered' AND reason <> '' ORDER BY alert_id, id DESC) AS last
    WHERE alerts.id = last.alert_id AND alerts.recovered_at IS NOT NULL`,
)
