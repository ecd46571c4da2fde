import type { Alert, AlertState, Severity } from '../../src/contract/alerts/alerts.ts'
import type { StoredFigures } from '../../src/server/database/alert-tables.ts'
import { addDays } from '../../src/core/analytics/days.ts'
import type { TestApp } from './app.ts'

export type StoredAlert = {
  openedAt: string
  severity?: Severity
  state?: Exclude<AlertState, 'snoozed'>
  type?: Alert['type']
  entity?: { kind: 'site' | 'page' | 'query'; name: string }
  previous?: number | null
  current?: number | null
  change?: number | null
  viewed?: boolean
  /** The last day of the week it was opened with, and the last one it was evaluated on. */
  days?: [found: string, evaluated: string]
}

const windows: StoredFigures['windows'] = {
  current: { start: '2026-03-09', end: '2026-03-15' },
  base: { start: '2026-03-02', end: '2026-03-08' },
  scale: 1,
}

/** Adds alerts without the rules, for lists longer or odder than a few days of figures could produce. Returns their ids. */
export async function putAlerts(app: TestApp, site: string, alerts: readonly StoredAlert[]): Promise<string[]> {
  const { sql } = await app.stores()
  const rows = await sql<{ id: string }>(
    `WITH added AS (
       INSERT INTO alerts (property_id, kind, type, comparison, entity_kind, entity_name, severity, state, figures, opening, series,
         opened_at, judged_at, judged_through, recovered_at, viewed_at)
       SELECT properties.id, 'change', a.type, 'previous_7_days', a.kind, a.name, a.severity, a.state, a.figures, a.figures, $3,
         a.opened, a.opened, a.evaluated, a.recovered, a.viewed
       FROM properties, jsonb_to_recordset($2) AS a(position integer, type text, kind text, name text, severity text, state text,
         figures jsonb, opened timestamptz, recovered timestamptz, viewed timestamptz, evaluated date)
       WHERE properties.name = $1 ORDER BY a.position RETURNING id, opened_at),
     noted AS (INSERT INTO alert_events (alert_id, to_state, reason, at) SELECT id, 'firing', 'condition_met', opened_at FROM added)
     SELECT id FROM added ORDER BY id`,
    [site, JSON.stringify(alerts.map((alert, position) => ({ position, ...rowOf(site, alert) }))), JSON.stringify(series)],
  )
  if (rows.length < alerts.length) throw new Error(`There is no property ${site}`)
  return rows.map(({ id }) => String(id))
}

const series = [31, 30, 33, 30, 28, 29, 22, 20, 21, 23, 20, 22, 21, 23]

function rowOf(site: string, alert: StoredAlert) {
  const { openedAt, severity = 'warning', state = 'firing', type = 'clicks', entity = { kind: 'site', name: site } } = alert
  const { previous = 200, current = 150, change = -25 } = alert
  const [found, evaluated] = alert.days ?? [windows.current.end, windows.current.end]
  const week = {
    ...windows,
    current: { start: addDays(found, -6), end: found },
    base: { start: addDays(found, -13), end: addDays(found, -7) },
  }
  const figures: StoredFigures = { previous, current, change, windows: week }
  const dayLater = new Date(Date.parse(openedAt) + 86_400_000)
  return {
    type,
    ...entity,
    severity,
    state,
    figures,
    opened: openedAt,
    recovered: state === 'recovered' ? dayLater : null,
    viewed: alert.viewed ? openedAt : null,
    evaluated,
  }
}
