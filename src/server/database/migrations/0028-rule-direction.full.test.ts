import { expect } from 'vitest'
import { blank, databaseTest } from '../../../../test/support/database.ts'
import { silentLog } from '../../../../test/support/platform.ts'
import { migrate } from '../../platform/migrate.ts'
import { migrations } from './index.ts'

databaseTest(blank)(
  'existing rules look for what their titles said, and stay silent about what is usual',
  async ({ database: { db, pool } }) => {
    await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0028')), silentLog)
    await pool.query(`INSERT INTO users (id, name, email) VALUES ('ann', 'ann', 'ann@example.test')`)
    await pool.query(`INSERT INTO people (user_id, plan) VALUES ('ann', 'free')`)
    await pool.query(`INSERT INTO properties (user_id, name, kind, monitored) VALUES ('ann', 'sc-domain:example.com', 'google', true)`)
    for (const title of ['Clicks drop', 'A SPIKE in clicks'])
      await pool.query(
        `INSERT INTO alert_conditions (property_id, type, kind, title, is_enabled, monitor, targets, threshold, threshold_unit)
       SELECT id, 'clicks', 'change', $1, true, 'site', '[]', 15, '%' FROM properties`,
        [title],
      )
    await migrate(db, migrations, silentLog)
    const { rows } = await pool.query('SELECT title, direction, only_unusual FROM alert_conditions ORDER BY id')
    expect(rows).toEqual([
      { title: 'Clicks drop', direction: 'falls', only_unusual: true },
      { title: 'A SPIKE in clicks', direction: 'rises', only_unusual: true },
    ])
  },
)
