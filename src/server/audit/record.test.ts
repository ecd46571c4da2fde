import { expect } from 'vitest'
import { databaseTest } from '../../../test/support/database.ts'
import { recordEvent, recordEvents } from './record.ts'

const test = databaseTest()

test('nothing is recorded for an account that was deleted in the meantime', async ({ database: { db, pool } }) => {
  const at = new Date('2026-03-18T20:00:00Z')
  await pool.query(`INSERT INTO users (id, name, email) VALUES ('ann', 'ann', 'ann@example.test')`)
  for (const user of ['ann', 'gone']) await recordEvent(db, user, { kind: 'deletion-refused', details: {} }, at)
  expect((await pool.query('SELECT user_id FROM audit_events')).rows).toEqual([{ user_id: 'ann' }])
})

test('of many events at once, the first two hundred of a day are kept', async ({ database: { db, pool } }) => {
  const at = new Date('2026-03-18T20:00:00Z')
  await pool.query(`INSERT INTO users (id, name, email) VALUES ('ben', 'ben', 'ben@example.test')`)
  const monitored = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => ({ kind: 'property-monitored', details: { property: `p${from + n}` } }) as const)
  await recordEvents(db, 'ben', monitored(0, 150), at)
  await recordEvents(db, 'ben', monitored(150, 900), at)
  const { rows } = await pool.query<{ property: string }>(
    `SELECT details->>'property' AS property FROM audit_events WHERE user_id = 'ben' ORDER BY id`,
  )
  expect(rows.map(({ property }) => property)).toEqual(Array.from({ length: 200 }, (_, n) => `p${n}`))
})
