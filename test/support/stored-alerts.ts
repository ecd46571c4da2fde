import type { Alert, AlertState, Severity } from '../../src/contract/alerts.ts'
import type { StoredFigures } from '../../src/server/database/alert-tables.ts'
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
}

const windows: StoredFigures['windows'] = {
  current: { start: '2026-03-09', end: '2026-03-15' },
  base: { start: '2026-03-02', end: '2026-03-08' },
  scale: 1,
}

/** Alerts past the rules, for lists longer or stranger than a few days of figures could make them. Answers their ids. */
export async function putAlerts(app: TestApp, site: string, alerts: readonly StoredAlert[]): Promise<string[]> {
  const { sql } = await app.stores()
  const ids: string[] = []
  for (const alert of alerts) {
    const { openedAt, severity = 'warning', state = 'firing', type = 'clicks', entity = { kind: 'site', name: site } } = alert
    const { previous = 200, current = 150, change = -25 } = alert
    const figures: StoredFigures = { previous, current, change, windows }
    const recoveredAt = state === 'recovered' ? new Date(Date.parse(openedAt) + 86_400_000) : null
    const [row] = await sql<{ id: string }>(
      `INSERT INTO alerts (property_id, kind, type, comparison, entity_kind, entity_name, severity, state, figures, opening, opened_at,
         judged_at, judged_through, recovered_at, viewed_at, series)
       SELECT id, 'change', $2, 'previous_7_days', $3, $4, $5, $6, $7, $7, $8::timestamptz, $8::timestamptz, '2026-03-15', $9, $10,
         '[31, 30, 33, 30, 28, 29, 22, 20, 21, 23, 20, 22, 21, 23]'
       FROM properties WHERE name = $1 RETURNING id`,
      [site, type, entity.kind, entity.name, severity, state, JSON.stringify(figures), openedAt, recoveredAt, alert.viewed ? openedAt : null],
    )
    if (!row) throw new Error(`There is no property ${site}`)
    await sql(`INSERT INTO alert_events (alert_id, to_state, reason, at) VALUES ($1, 'firing', 'condition_met', $2)`, [row.id, openedAt])
    ids.push(String(row.id))
  }
  return ids
}
