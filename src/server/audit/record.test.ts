import { expect } from 'vitest'
import { databaseTest } from '../../../test/support/database.ts'
import { recordEvent } from './record.ts'

databaseTest()('nothing is noted of an account that was deleted meanwhile', async ({ database: { db, pool } }) => {
  const at = new Date('2026-03-18T20:00:00Z')
  await pool.query(`INSERT INTO users (id, name, email) VALUES ('ann', 'ann', 'ann@example.test')`)
  for (const user of ['ann', 'gone']) await recordEvent(db, user, { kind: 'deletion-refused', details: {} }, at)
  expect((await pool.query('SELECT user_id FROM audit_events')).rows).toEqual([{ user_id: 'ann' }])
})
