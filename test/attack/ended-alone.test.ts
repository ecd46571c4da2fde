import pg from 'pg'
import { expect } from 'vitest'
import { lockNumber } from '../../src/server/platform/postgres.ts'
import { appTest } from '../support/app-test.ts'
import { registered } from '../support/people.ts'
import { databaseUrlOf } from '../support/stores.ts'
import { until } from '../support/until.ts'

const test = appTest({ today: '2026-03-18', demo: false })

test('ending other sessions waits for a change of the password or second factor that is under way, so that what it begins ends too', async ({
  app,
}) => {
  const owner = await registered(app, 'alone')
  const { sql } = await app.stores()
  const change = new pg.Client(await databaseUrlOf(app.dataDir))
  await change.connect()
  await change.query(`SELECT pg_advisory_lock(${lockNumber("'way-in:' || id")}) FROM users WHERE username = 'alone'`)
  const sent = owner.send('DELETE', '/api/user/sessions')
  const waiting = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
  await until(
    () => sql(waiting),
    (rows) => rows.length === 1,
  )
  await change.end()
  expect((await sent).status).toBeLessThan(300)
})
