import { expect } from 'vitest'
import { blank, databaseTest } from '../../../../test/support/database.ts'
import { silentLog } from '../../../../test/support/platform.ts'
import { migrate } from '../../platform/migrate.ts'
import { migrations } from './index.ts'

databaseTest(blank)(
  'alerts about a whole site keep covering what they covered, and not what is only shown with them',
  async ({ database }) => {
    const { db, pool } = database
    await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0058')), silentLog)
    await pool.query(`INSERT INTO users (id, name, email) VALUES ('ann', 'ann', 'ann@example.test')`)
    await pool.query(`INSERT INTO people (user_id, plan) VALUES ('ann', 'free')`)
    await pool.query(`INSERT INTO properties (user_id, name, kind) VALUES ('ann', 'sc-domain:example.com', 'google')`)
    const part = (name: string, change: number | null) => ({ entity: { kind: 'page', name }, previous: 100, current: 100, change })
    const alert = (type: string, kind: string, parts: readonly unknown[], more: { change?: number | null; recovered?: string } = {}) =>
      pool.query(
        `INSERT INTO alerts (property_id, kind, type, entity_kind, entity_name, severity, state, opened_at, judged_at, judged_through,
         recovered_at, figures, contributors)
       SELECT id, 'change', $1, $2, $1 || $2 || coalesce($3, ''), 'critical', CASE WHEN $3::text IS NULL THEN 'firing' ELSE 'recovered' END,
         now(), now(), '2026-03-02', $3::timestamptz, jsonb_build_object('change', $4::float8), $5::jsonb FROM properties`,
        [type, kind, more.recovered ?? null, more.change === undefined ? -20 : more.change, JSON.stringify(parts)],
      )
    await alert('clicks', 'site', [part('/a', -40), part('/b', -0.4), part('/c', 30)])
    await alert('clicks', 'site', [part('/a', null), part('/b', 40)], { change: null, recovered: 'yesterday' })
    await alert('position', 'site', [part('/a', 3)])
    await alert('clicks', 'site', [part('/a', -40)], { recovered: '2025-01-01' })
    await alert('clicks', 'page', [part('/a', -40)])
    await alert('impressions', 'site', [])
    await migrate(db, migrations, silentLog)
    const covered = (name: string, change: number | null) => ({ entity: { kind: 'page', name }, change, through: '2026-03-02' })
    expect((await pool.query<{ covered: unknown }>('SELECT covered FROM alerts ORDER BY id')).rows.map((row) => row.covered)).toEqual([
      [covered('/a', -40)],
      [covered('/a', null)],
      [covered('/a', 3)],
      [],
      [],
      [],
    ])
  },
)
