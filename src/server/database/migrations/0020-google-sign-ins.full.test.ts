import { expect } from 'vitest'
import { blank, databaseTest } from '../../../../test/support/database.ts'
import { silentLog } from '../../../../test/support/platform.ts'
import { migrate } from '../../platform/migrate.ts'
import { migrations } from './index.ts'

databaseTest(blank)(
  'people who have no other way in, or came through Google, keep logging in with the account they connected',
  async ({ database: { db, pool } }) => {
    await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0020')), silentLog)
    const put = async (name: string, sub: string, connectedAt: string) => {
      await pool.query(`INSERT INTO users (id, name, email) VALUES ($1, $1, $1 || '@example.test')`, [name])
      await pool.query(
        `INSERT INTO google_connections (user_id, google_sub, email, refresh_token, scope, connected_at) VALUES ($1, $2, $2 || '@gmail.com', '', '', $3)`,
        [name, sub, connectedAt],
      )
    }
    const withPassword = (name: string) =>
      pool.query(`INSERT INTO accounts (id, account_id, provider_id, user_id, password) VALUES ($1, $1, 'credential', $1, 'hash')`, [name])
    await put('only-google', 'one', '2026-01-01')
    await put('syncs-a-client', 'two', '2026-01-01')
    await withPassword('syncs-a-client')
    await put('comes-by-google', 'three', '2026-01-01')
    await withPassword('comes-by-google')
    await pool.query(
      `INSERT INTO audit_events (user_id, at, kind, actor, details) VALUES ('comes-by-google', now(), 'signed-in', 'person', '{"with":"google"}')`,
    )
    // If several were connected with the same account, it opened the latest.
    await put('connected-later', 'one', '2026-02-01')

    await migrate(db, migrations, silentLog)
    const { rows } = await pool.query('SELECT google_sub AS sub, user_id AS who, email FROM google_sign_ins ORDER BY user_id')
    expect(rows).toEqual([
      { sub: 'three', who: 'comes-by-google', email: 'three@gmail.com' },
      { sub: 'one', who: 'connected-later', email: 'one@gmail.com' },
    ])
  },
)
