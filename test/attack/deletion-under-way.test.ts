import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import type { TestApp } from '../support/app.ts'
import { appTest } from '../support/app-test.ts'
import { noJobsLeft, runJob } from '../support/jobs.ts'
import { propertyId } from '../support/people.ts'
import { putAlerts } from '../support/stored-alerts.ts'
import { ownerAtOnce } from '../support/stored-history.ts'
import { databaseUrlOf } from '../support/stores.ts'
import { until } from '../support/until.ts'

// Somebody deletes an account with so much in it that it takes minutes. Here it takes until the test gives back a row.

const now = '2026-03-18T19:00:00Z'
const test = appTest({ today: '2026-03-18', demo: false })
  .extend('sql', { scope: 'file' }, async ({ app }) => (await app.stores()).sql)
  /** Accounts for which there is something to do of every kind. */
  .extend('accounts', { scope: 'file' }, async ({ app, sql }) => {
    const [leaving, staying] = [await owner(app, 'leaving'), await owner(app, 'staying')]
    // What connecting them has queued has run.
    for (const queue of ['sync-slice', 'alerts-due', 'delivery-due']) await noJobsLeft(app, queue)
    for (const { id, userId, email, alerts } of [leaving, staying]) {
      await sql(`UPDATE alert_watches SET judged_at = NULL, judged_version = NULL WHERE property_id = $1`, [id])
      await sql(`UPDATE alerts SET state = 'snoozed', snoozed_until = $2 WHERE id = $1`, [alerts[1], now])
      await sql(
        `INSERT INTO alerts (property_id, type, entity_kind, entity_name, severity, state, opening, figures, contributors, series, action,
           opened_at, judged_at)
         VALUES ($1, 'clicks', 'connection', 'permission_missing', 'critical', 'firing', 'null', 'null', '[]', '[]', 'null', $2, $2)`,
        [id, now],
      )
      await sql(`DELETE FROM digest_schedules WHERE user_id = $1`, [userId])
      await sql(
        `INSERT INTO notifications (user_id, channel, kind, message, next_attempt_at, give_up_at, created_at)
         VALUES ($1, 'email', 'test', '{"kind":"test","property":null}', $2, $2::timestamptz + interval '1 day', $2)`,
        [userId, now],
      )
      await sql(
        `INSERT INTO report_schedules (user_id, property_id, kind, paper, recipients, enabled, first_start, look_at, created_at)
         VALUES ($1, $2, 'week', 'a4', ARRAY[$3], true, '2026-03-02', $4, $4)`,
        [userId, id, email, now],
      )
    }
    return { leaving, staying }
  })

async function owner(app: TestApp, name: string) {
  const [site, email] = [`https://${name}.example/`, `${name}@example.test`]
  const person = await ownerAtOnce(app, site, { profile: 'local', days: 40, email, plan: 'agency' })
  const id = await propertyId(app, site)
  const { sql } = await app.stores()
  const [user] = await sql<{ userId: string }>(`SELECT user_id AS "userId" FROM properties WHERE id = $1`, [id])
  const alerts = await putAlerts(app, site, [
    { openedAt: '2026-03-16T09:00:00Z' },
    { openedAt: '2026-03-16T09:00:01Z', entity: { kind: 'query', name: 'lamp' } },
  ])
  return { person, id, userId: user?.userId ?? '', email, alerts }
}

test('while an account is being deleted, nobody gets into it, and nothing that works for everybody waits for it', async ({
  app,
  sql,
  accounts: { leaving, staying },
}) => {
  const key = (await leaving.person.send('POST', '/api/keys', { name: 'A', scope: 'read', days: null })).body as { key: string }
  const { username } = (await leaving.person.get('/api/user')).body as { username: string }
  const holder = new pg.Client({ connectionString: await databaseUrlOf(app.dataDir) })
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('BEGIN')
  await holder.query('SELECT FROM alerts WHERE id = $1 FOR UPDATE', [leaving.alerts[0]])
  const waits = async () =>
    (await sql(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)).length
  const deleted = leaving.person.send('DELETE', '/api/user', { username })
  await until(waits, (count) => count === 1)

  const note = { date: '2026-03-10', text: 'A note', property: null }
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await leaving.person.send('POST', '/api/annotations', note)).status),
  )
  expect(new Set(statuses)).toEqual(new Set([401]))
  const asProgram = { headers: { authorization: `Bearer ${key.key}` } }
  expect((await app.visitor().get('/api/v1/properties', asProgram)).status).toBe(401)
  for (const { email } of [leaving, staying]) await app.visitor().send('POST', '/api/auth/forgot-password', { email })
  await app.mail.mailTo(staying.email, { kind: 'reset-password' })
  await noJobsLeft(app, 'password-resets')
  const queues = ['sync-due', 'alerts-due', 'report-due', 'delivery-due', 'report-mails']
  for (const queue of queues) await runJob(app, queue)

  expect(await waits()).toBe(1)
  const hindered = `SELECT name FROM jobs.job WHERE name = ANY ($1) AND (retry_count > 0 OR state = 'failed')`
  expect(await sql(hindered, [['password-resets', ...queues]])).toEqual([])
  const done = async ({ id, userId }: typeof staying) =>
    (
      await sql<Record<string, boolean>>(
        `SELECT EXISTS (SELECT FROM alert_watches WHERE property_id = $1 AND judged_at IS NOT NULL) AS evaluated,
           NOT EXISTS (SELECT FROM alerts WHERE property_id = $1 AND state = 'snoozed') AS woken,
           NOT EXISTS (SELECT FROM alerts WHERE property_id = $1 AND entity_kind = 'connection' AND recovered_at IS NULL) AS ended,
           EXISTS (SELECT FROM digest_schedules WHERE user_id = $2) AS scheduled,
           EXISTS (SELECT FROM report_runs WHERE user_id = $2) AS reported,
           EXISTS (SELECT FROM notifications WHERE user_id = $2 AND state = 'sent') AS sent`,
        [id, userId],
      )
    )[0]
  expect(await done(staying)).toEqual({ evaluated: true, woken: true, ended: true, scheduled: true, reported: true, sent: true })
  expect(await done(leaving)).toEqual({ evaluated: false, woken: false, ended: false, scheduled: false, reported: false, sent: false })
  await holder.query('COMMIT')
  expect((await deleted).status).toBe(204)
})
