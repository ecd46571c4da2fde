import { expect } from 'vitest'
import { blank, databaseTest } from '../../../../test/support/database.ts'
import { silentLog } from '../../../../test/support/platform.ts'
import { migrate } from '../../platform/migrate.ts'
import { migrations } from './index.ts'

databaseTest(blank)(
  'people from before the rule about unusual changes are told about it once, nobody else is, and alerts stay as they are',
  async ({ database: { db, pool } }) => {
    // What the present release leaves: it has been running for a while.
    await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0045')), silentLog)
    await pool.query(`UPDATE kysely_migration SET timestamp = '2026-03-10T12:00:00.000Z'`)
    await pool.query(`INSERT INTO users (id, name, email, created_at) SELECT name, name, name || '@example.test', day::timestamptz
      FROM (VALUES ('before', '2026-03-01'), ('without', '2026-03-01'), ('after', '2026-03-12')) AS those (name, day)`)
    await pool.query(`INSERT INTO people (user_id, plan) SELECT id, 'free' FROM users`)
    await pool.query(`INSERT INTO properties (user_id, name, kind) SELECT id, id, 'google' FROM users`)
    await pool.query(`INSERT INTO alert_conditions (property_id, type, kind, title, is_enabled, direction, only_unusual, monitor, targets, threshold, threshold_unit)
      SELECT id, 'clicks', CASE name WHEN 'without' THEN 'change' ELSE 'unusual' END, 'Clicks', true, 'both', true, 'site', '[]', 11, '%' FROM properties`)
    await pool.query(`INSERT INTO alerts (property_id, condition_id, kind, type, entity_kind, entity_name, severity, state, opened_at, judged_at)
      SELECT property_id, id, 'change', 'clicks', 'site', 'x', 'critical', 'firing', '2026-03-11', '2026-03-11' FROM alert_conditions`)
    const kept = 'SELECT * FROM alerts ORDER BY id'
    const before = (await pool.query(kept)).rows
    await migrate(db, migrations, silentLog)

    expect(before).toHaveLength(3)
    expect((await pool.query(kept)).rows).toMatchObject(before)
    expect((await pool.query('SELECT user_id, notice FROM notices')).rows).toEqual([{ user_id: 'before', notice: 'unusual_changes' }])
    expect((await pool.query('SELECT * FROM alert_finders')).rows).toEqual([])
    // Both go with what they are about.
    await pool.query('INSERT INTO alert_finders SELECT alerts.id, alert_conditions.id FROM alerts, alert_conditions')
    await pool.query(`DELETE FROM users WHERE id = 'before'`)
    expect((await pool.query('SELECT * FROM notices')).rows).toEqual([])
    expect((await pool.query('SELECT count(*)::int FROM alert_finders')).rows).toEqual([{ count: 4 }])
  },
)
