import { expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import type { TestApp } from '../../../../test/support/app.ts'
import { runJob } from '../../../../test/support/jobs.ts'
import { newPerson } from '../../../../test/support/people.ts'
import { putAlerts } from '../../../../test/support/stored-alerts.ts'

// One person's problem must not keep alerts from anybody else.

const minuteMs = 60_000

const test = appTest({ today: '2026-03-18', demo: false, logLevel: 'silent' })

const siteOf = (name: string) => `https://${name}.example/`
const mails = async (app: TestApp, name: string) => (await app.mail.mails(`${name}@example.test`)).filter(({ kind }) => kind === 'alerts')
/** Subject and state of each alert on somebody's site. */
async function alertsOf(app: TestApp, name: string): Promise<string[]> {
  const { sql } = await app.stores()
  const found = await sql<{ about: string }>(
    `SELECT entity_kind || ' ' || alerts.state AS about FROM alerts JOIN properties ON properties.id = property_id
      WHERE name = $1 ORDER BY entity_kind`,
    [siteOf(name)],
  )
  return found.map(({ about }) => about)
}
const personRow = 'user_id = (SELECT id FROM users WHERE email = $1)'

/** Somebody with instant alerts, one of which is snoozed for twenty minutes. */
async function troubled(app: TestApp, name: string): Promise<void> {
  const { sql } = await app.stores()
  const [email, site] = [`${name}@example.test`, siteOf(name)]
  const person = await newPerson(app, { email, plan: 'agency' })
  expect((await person.send('POST', '/api/delivery-settings', { frequency: 'instant' })).status).toBe(201)
  await sql(
    `WITH added AS (INSERT INTO properties (user_id, name, kind, monitored) SELECT id, $2, 'google', true FROM users WHERE email = $1 RETURNING id)
     INSERT INTO property_syncs (property_id) SELECT id FROM added`,
    [email, site],
  )
  const [id = ''] = await putAlerts(app, site, [{ openedAt: '2026-03-16T09:00:00Z' }])
  const until = new Date(app.google.now().getTime() + 20 * minuteMs).toISOString()
  expect((await person.send('POST', `/api/alerts/${id}/snooze`, { until })).status).toBe(200)
}

test('people without any stored settings, such as an account that is just being deleted', { tags: ['full'] }, async ({ app }) => {
  await troubled(app, 'broken')
  await troubled(app, 'sound')
  const { sql } = await app.stores()
  const [row] = await sql<{ plan: string; at: Date }>(`DELETE FROM people WHERE ${personRow} RETURNING plan, plan_chosen_at AS at`, [
    'broken@example.test',
  ])
  await sql(`UPDATE google_connections SET state = 'token_revoked'`)
  app.google.advance(20 * minuteMs)
  await runJob(app, 'alerts-due')
  await runJob(app, 'delivery-due')
  expect(await alertsOf(app, 'sound')).toEqual(['connection firing', 'site firing'])
  expect((await mails(app, 'sound')).map(({ text }) => text).join()).toContain('Reconnect your Google account')

  // Nothing is lost.
  await sql('INSERT INTO people (user_id, plan, plan_chosen_at) SELECT id, $2, $3 FROM users WHERE email = $1', [
    'broken@example.test',
    row!.plan,
    row!.at,
  ])
  expect(await alertsOf(app, 'broken')).toEqual(['site snoozed'])
  app.google.advance(20 * minuteMs)
  await runJob(app, 'alerts-due')
  await runJob(app, 'delivery-due')
  expect(await alertsOf(app, 'broken')).toEqual(['connection firing', 'site firing'])
  expect(await mails(app, 'broken')).not.toEqual([])
})
