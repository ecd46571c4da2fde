import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { blank, openTestDatabase } from '../../../../test/support/database.ts'
import { silentLog } from '../../../../test/support/platform.ts'
import { launchServer } from '../../../../test/support/server-process.ts'
import { until } from '../../../../test/support/until.ts'
import { migrate } from '../../platform/migrate.ts'
import { migrations } from './index.ts'

/** The release to migrate from: rules had no direction, and alerts no parts and no verdicts. */
const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0028'))

test('a migration killed with kill -9 changes nothing, and the next start completes it', async () => {
  const database = await openTestDatabase(blank)
  onTestFinished(() => database.close())
  const { db, pool, url, dataDir } = database
  await migrate(db, before, silentLog)
  await pool.query(`INSERT INTO users (id, name, email) VALUES ('ann', 'ann', 'ann@example.test')`)
  await pool.query(`INSERT INTO people (user_id, plan) VALUES ('ann', 'free')`)
  await pool.query(`INSERT INTO properties (user_id, name, kind) VALUES ('ann', 'sc-domain:example.com', 'google')`)
  await pool.query(`INSERT INTO alert_conditions (property_id, type, kind, title, is_enabled, monitor, targets, threshold, threshold_unit)
    SELECT id, 'clicks', 'change', 'Clicks spike', true, 'site', '[]', 15, '%' FROM properties`)
  await pool.query(`INSERT INTO alerts (property_id, condition_id, kind, type, entity_kind, entity_name, severity, state, opened_at, judged_at)
    SELECT property_id, id, kind, type, 'page', '/' || n, 'critical', 'firing', now(), now() FROM alert_conditions, generate_series(1, 500) AS n`)
  const [asItWas, shape] = [await contentOf(pool), await shapeOf(pool)]

  // Somebody reads an alert: the change to rules is done by now, the change to alerts has to wait.
  const reader = new pg.Client({ connectionString: url })
  await reader.connect()
  await reader.query('BEGIN')
  await reader.query('SELECT 1 FROM alerts LIMIT 1')
  const env = { DATA_DIR: dataDir, DATABASE_URL: url, DEMO: '0' }
  const killed = launchServer(env)
  const ended = killed.ready.then(String, String)
  await until(
    () => waitingFor(pool, 'ALTER TABLE alerts'),
    (count) => count === 1,
    30_000,
  )
  await killed.kill()
  expect(await ended).toContain('The server ended with null')
  await reader.query('COMMIT')
  await reader.end()
  await until(
    () => waitingFor(pool, 'ALTER TABLE alerts', 'any'),
    (count) => count === 0,
    30_000,
  )
  expect(await shapeOf(pool)).toEqual(shape)
  expect(await contentOf(pool)).toEqual(asItWas)

  const server = await launchServer(env).ready
  expect(await server.stop()).toBe(0)
  const { rows: applied } = await pool.query<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name')
  expect(applied.map(({ name }) => name)).toEqual(Object.keys(migrations))
  expect(await contentOf(pool)).toEqual(asItWas)
  const { rows } = await pool.query(`SELECT direction, part_of, verdict, count(*)::int AS alerts
    FROM alerts JOIN alert_conditions ON alert_conditions.id = condition_id GROUP BY 1, 2, 3`)
  expect(rows).toEqual([{ direction: 'rises', part_of: null, verdict: null, alerts: 500 }])
}, 120_000)

/** Statements of a kind that wait for a lock, or that run at all. */
async function waitingFor(pool: pg.Pool, statement: string, how: 'lock' | 'any' = 'lock'): Promise<number> {
  const { rows } = await pool.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE $1 || '%'
       AND ($2 = 'any' OR wait_event_type = 'Lock')`,
    [statement, how],
  )
  return rows.length
}

/** People's data, in the columns that every release has. */
async function contentOf(pool: pg.Pool) {
  const rules = await pool.query('SELECT id, title, threshold FROM alert_conditions WHERE kind = $1', ['change'])
  const alerts = await pool.query('SELECT id, condition_id, entity_name, severity, state, opened_at FROM alerts ORDER BY id')
  return { rules: rules.rows, alerts: alerts.rows }
}

/** All of our columns, and which migrations have run. */
async function shapeOf(pool: pg.Pool) {
  const columns = await pool.query(
    `SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`,
  )
  const applied = await pool.query('SELECT name FROM kysely_migration ORDER BY name')
  return { columns: columns.rows, applied: applied.rows }
}
