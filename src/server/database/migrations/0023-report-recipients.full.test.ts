import { expect } from 'vitest'
import { blank, databaseTest } from '../../../../test/support/database.ts'
import { silentLog } from '../../../../test/support/platform.ts'
import { migrate } from '../../platform/migrate.ts'
import { migrations } from './index.ts'

databaseTest(blank)(
  'people who get reports keep getting them, and those who unsubscribed stay unsubscribed',
  async ({ database: { db, pool } }) => {
    await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0023')), silentLog)
    for (const name of ['ann', 'bob']) {
      await pool.query(`INSERT INTO users (id, name, email) VALUES ($1, $1, $1 || '@example.test')`, [name])
      await pool.query(`INSERT INTO report_clients (user_id, name, created_at) VALUES ($1, $1, now())`, [name])
    }
    const schedule = (owner: string, recipients: string, unsubscribed: string) =>
      pool.query(
        `INSERT INTO report_schedules (user_id, client_id, kind, paper, recipients, unsubscribed, enabled, first_start, look_at, created_at)
       SELECT $1, id, 'week', 'a4', $2, $3, true, '2026-03-09', now(), now() FROM report_clients WHERE user_id = $1`,
        [owner, recipients, unsubscribed],
      )
    await schedule('ann', '{One@client.example,two@client.example}', '{three@client.example}')
    await schedule('ann', '{one@client.example}', '{two@client.example}')
    await schedule('bob', '{three@client.example}', '{}')

    await migrate(db, migrations, silentLog)
    const { rows } = await pool.query(
      `SELECT user_id AS of, address, confirmed_at IS NOT NULL AS agreed, unsubscribed_at IS NOT NULL AS "left" FROM report_recipients ORDER BY 1, 2`,
    )
    expect(rows).toEqual([
      { of: 'ann', address: 'one@client.example', agreed: true, left: false },
      { of: 'ann', address: 'three@client.example', agreed: false, left: true },
      { of: 'ann', address: 'two@client.example', agreed: true, left: false },
      { of: 'bob', address: 'three@client.example', agreed: true, left: false },
    ])
    const kept = await pool.query('SELECT unsubscribed FROM report_schedules ORDER BY id')
    expect(kept.rows.map(({ unsubscribed }: { unsubscribed: string[] }) => unsubscribed)).toEqual([
      ['three@client.example'],
      ['two@client.example'],
      [],
    ])
  },
)
