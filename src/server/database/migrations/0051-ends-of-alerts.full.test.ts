import { expect } from 'vitest'
import { blank, databaseTest } from '../../../../test/support/database.ts'
import { silentLog } from '../../../../test/support/platform.ts'
import { migrate } from '../../platform/migrate.ts'
import { migrations } from './index.ts'

databaseTest(blank)('alerts that have ended get the reason in their history', async ({ database: { db, pool } }) => {
  await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0051')), silentLog)
  await pool.query(`INSERT INTO users (id, name, email) VALUES ('ann', 'ann', 'ann@example.test')`)
  await pool.query(`INSERT INTO people (user_id, plan) VALUES ('ann', 'free')`)
  await pool.query(`INSERT INTO properties (user_id, name, kind) VALUES ('ann', 'sc-domain:example.com', 'google')`)
  await pool.query(
    `INSERT INTO alerts (property_id, kind, type, entity_kind, entity_name, severity, state, opened_at, judged_at, recovered_at)
     SELECT id, 'change', 'clicks', 'page', page, 'critical', state, '2026-03-01', '2026-03-02', ended::timestamptz
     FROM properties, (VALUES ('/open', 'firing', NULL), ('/level', 'recovered', '2026-03-02'), ('/untold', 'recovered', '2026-03-02'))
       AS those (page, state, ended)`,
  )
  const event = (page: string, from: string | null, to: string, reason: string) =>
    pool.query(
      `INSERT INTO alert_events (alert_id, from_state, to_state, reason, at) SELECT id, $2, $3, $4, '2026-03-02' FROM alerts WHERE entity_name = $1`,
      [page, from, to, reason],
    )
  for (const page of ['/open', '/level', '/untold']) await event(page, null, 'firing', 'condition_met')
  await event('/level', 'firing', 'recovered', 'new_level')
  await event('/level', 'recovered', 'recovered', 'verdict_useful')
  await migrate(db, migrations, silentLog)
  expect((await pool.query('SELECT entity_name AS page, ended FROM alerts ORDER BY id')).rows).toEqual([
    { page: '/open', ended: null },
    { page: '/level', ended: { reason: 'new_level' } },
    { page: '/untold', ended: null },
  ])
})
