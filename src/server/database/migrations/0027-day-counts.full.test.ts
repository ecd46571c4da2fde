import { expect } from 'vitest'
import { blank, databaseTest } from '../../../../test/support/database.ts'
import { silentLog } from '../../../../test/support/platform.ts'
import { migrate } from '../../platform/migrate.ts'
import { migrations } from './index.ts'

databaseTest(blank)('report emails that were sent before still count', async ({ database: { db, pool } }) => {
  await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0027')), silentLog)
  await pool.query(`INSERT INTO users (id, name, email) VALUES ('ann', 'ann', 'ann@example.test')`)
  await pool.query(`INSERT INTO report_mail_days (user_id, day, mails) VALUES ('ann', '2026-03-18', 7)`)
  await migrate(db, migrations, silentLog)
  const { rows } = await pool.query('SELECT what, whose, day::text, used FROM day_counts')
  expect(rows).toEqual([{ what: 'report-mail', whose: 'ann', day: '2026-03-18', used: 7 }])
})
