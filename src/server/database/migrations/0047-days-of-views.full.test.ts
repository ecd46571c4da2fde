import { expect } from 'vitest'
import { blank, databaseTest } from '../../../../test/support/database.ts'
import { silentLog } from '../../../../test/support/platform.ts'
import { migrate } from '../../platform/migrate.ts'
import { migrations } from './index.ts'

databaseTest(blank)('views saved without days keep showing the 28 that were the explorer’s default', async ({ database: { db, pool } }) => {
  await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0047')), silentLog)
  await pool.query(`INSERT INTO users (id, name, email) VALUES ('ann', 'ann', 'ann@example.test')`)
  await pool.query(`INSERT INTO people (user_id, plan) VALUES ('ann', 'free')`)
  for (const [kind, name, content] of [
    ['view', 'a', 'property=p&by=page'],
    ['view', 'b', 'range=16m&by=page'],
    ['view', 'c', 'by=page&range=7d'],
    ['segment', 'd', 'page contains lamp'],
  ])
    await pool.query(`INSERT INTO saved_explorations (user_id, kind, name, content, created_at) VALUES ('ann', $1, $2, $3, now())`, [
      kind,
      name,
      content,
    ])
  await migrate(db, migrations, silentLog)
  const { rows } = await pool.query('SELECT content FROM saved_explorations ORDER BY name')
  expect(rows.map(({ content }) => content)).toEqual([
    'property=p&by=page&range=28d',
    'range=16m&by=page',
    'by=page&range=7d',
    'page contains lamp',
  ])
})
