import { expect } from 'vitest'
import { blank, databaseTest } from '../../../../test/support/database.ts'
import { silentLog } from '../../../../test/support/platform.ts'
import { migrate } from '../../platform/migrate.ts'
import { migrations } from './index.ts'

databaseTest(blank)('existing alerts stand alone and are not rated yet, and can be rated', async ({ database: { db, pool } }) => {
  // The previous release neither grouped alerts by cause nor asked for ratings.
  await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0030')), silentLog)
  await pool.query(`INSERT INTO users (id, name, email) VALUES ('ann', 'ann', 'ann@example.test')`)
  await pool.query(`INSERT INTO people (user_id, plan) VALUES ('ann', 'free')`)
  await pool.query(`INSERT INTO properties (user_id, name, kind) VALUES ('ann', 'sc-domain:example.com', 'google')`)
  const figures = { previous: 700, current: 42, change: -94, windows: null }
  await pool.query(
    `INSERT INTO alerts (property_id, kind, type, entity_kind, entity_name, severity, state, figures, opened_at, judged_at, recovered_at)
     SELECT id, 'change', 'clicks', 'page', page, severity, state, $1, '2026-03-01', '2026-03-02', recovered_at::timestamptz
     FROM properties, (VALUES ('/lamps', 'critical', 'firing', NULL), ('/desks', 'warning', 'acknowledged', NULL),
       ('/chairs', 'positive', 'recovered', '2026-03-02')) AS those (page, severity, state, recovered_at)`,
    [JSON.stringify(figures)],
  )
  await pool.query(`INSERT INTO alert_events (alert_id, to_state, reason, at) SELECT id, 'firing', 'condition_met', opened_at FROM alerts`)
  const kept = 'SELECT id, entity_name, severity, state, figures, opened_at, recovered_at FROM alerts ORDER BY id'
  const before = (await pool.query(kept)).rows
  await migrate(db, migrations, silentLog)

  expect(before).toHaveLength(3)
  expect((await pool.query(kept)).rows).toEqual(before)
  expect((await pool.query('SELECT count(*)::int AS events FROM alert_events')).rows).toEqual([{ events: 3 }])
  const ratings = 'SELECT DISTINCT part_of, verdict, verdict_at FROM alerts'
  expect((await pool.query(ratings)).rows).toEqual([{ part_of: null, verdict: null, verdict_at: null }])

  await pool.query(`UPDATE alerts SET verdict = 'noise', verdict_at = '2026-03-03' WHERE entity_name = '/chairs'`)
  expect((await pool.query(`SELECT entity_name FROM alerts WHERE verdict = 'noise'`)).rows).toEqual([{ entity_name: '/chairs' }])
  // A rating has a time and one of two values.
  await expect(pool.query(`UPDATE alerts SET verdict = 'useful'  WHERE entity_name = '/lamps'`)).rejects.toThrow('check constraint')
  await expect(pool.query(`UPDATE alerts SET verdict = 'maybe', verdict_at = now()`)).rejects.toThrow('check constraint')
})
