import { expect } from 'vitest'
import { blank, databaseTest } from '../../../../test/support/database.ts'
import { silentLog } from '../../../../test/support/platform.ts'
import { isShownToOthers, rememberShown } from '../../common/shown-to-others.ts'
import { migrate } from '../../platform/migrate.ts'
import { migrations } from './index.ts'

databaseTest(blank)(
  'reports from before count as shown while they exist, and for 90 days after they stop',
  async ({ database: { db, pool } }) => {
    await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0061')), silentLog)
    const now = new Date('2026-03-18T09:00:00Z')
    const later = (days: number) => new Date(now.getTime() + days * 24 * 3_600_000)
    for (const name of ['ann', 'bob', 'eve']) {
      await pool.query(`INSERT INTO users (id, name, email) VALUES ($1, $1, $1 || '@example.test')`, [name])
      await pool.query(`INSERT INTO people (user_id, plan) VALUES ($1, 'agency')`, [name])
      await pool.query(`INSERT INTO properties (user_id, name, kind) VALUES ($1, 'https://client.example/', 'google')`, [name])
      await pool.query(`INSERT INTO report_clients (user_id, name, created_at) VALUES ($1, 'Bank', now())`, [name])
    }
    await pool.query(`INSERT INTO report_client_properties (client_id, property_id)
    SELECT report_clients.id, properties.id FROM report_clients JOIN properties USING (user_id)`)
    // Ann's is off, Bob's goes to himself only, and Eve made a link.
    await pool.query(
      `INSERT INTO report_schedules (user_id, client_id, kind, paper, recipients, enabled, first_start, look_at, created_at)
     SELECT user_id, id, 'week', 'a4', ARRAY[CASE user_id WHEN 'ann' THEN 'client@bank.example' ELSE 'Bob@example.test' END], user_id = 'bob',
       '2026-03-09', now(), now() FROM report_clients WHERE user_id <> 'eve'`,
    )
    await pool.query(
      `INSERT INTO report_shares (user_id, client_id, title, kind, period_start, period_end, token_hash, token_sealed, created_at, expires_at)
     SELECT user_id, id, 'Bank', 'week', '2026-03-09', '2026-03-15', 'hash', 'sealed', $1, $2 FROM report_clients WHERE user_id = 'eve'`,
      [now, later(7)],
    )
    await migrate(db, migrations, silentLog)

    const property = { property: 'https://client.example/' }
    const shown = (at: Date) =>
      Promise.all(['ann', 'bob', 'eve'].map((id) => isShownToOthers(db, { id, email: `${id}@example.test` }, property, at)))
    expect(await shown(now)).toEqual([true, false, true])
    for (const id of ['ann', 'bob', 'eve']) await rememberShown(db, id, now)
    await pool.query('DELETE FROM report_clients')
    expect(await shown(later(89))).toEqual([true, false, true])
    expect(await shown(later(90))).toEqual([false, false, false])
    expect((await pool.query('SELECT DISTINCT sessions_version FROM people')).rows).toEqual([{ sessions_version: 0 }])
  },
)
