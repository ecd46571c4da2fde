import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect, test } from 'vitest'
import { user as userSchema } from '../../src/contract/user.ts'
import { demoAccounts } from '../../src/server/database/migrations/0017-demo-accounts.ts'
import { type TestApp, startTestApp } from '../support/app.ts'
import { openTestStores } from '../support/import-stores.ts'
import { newPerson, registered } from '../support/people.ts'
import { databaseUrlOf } from '../support/stores.ts'
import type { Visitor } from '../support/visitor.ts'

// Somebody tries Ranklark without keys, then gives it Google's keys and the same DATA_DIR. Nothing that anybody could do in the demo may
// open anything.

const production = { DEMO: '0', GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret', GOOGLE_API_URL: 'http://127.0.0.1:9' }
const me = async (visitor: Visitor) => userSchema.parse((await visitor.get('/api/user')).body)
const logIn = async (app: TestApp, username: string, password: string) => {
  const visitor = app.visitor()
  return { visitor, ...(await visitor.send('POST', '/api/auth/login', { username, password })) }
}
const withKey = (app: TestApp, key: string) => fetch(`${app.url}/api/v1/properties`, { headers: { authorization: `Bearer ${key}` } })
async function demoReset(env: Record<string, string>): Promise<string> {
  const command = path.resolve(import.meta.dirname, '../../src/server/commands/demo-reset.ts')
  const child = spawn(process.execPath, [command], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: string[] = []
  child.stdout.on('data', (text) => said.push(String(text)))
  await once(child, 'close')
  return said.join('')
}

test('the demo account and everything that a demo vouched for end with the demo', async () => {
  const env: Record<string, string> = {}
  const app = await startTestApp({ today: '2026-11-10', env, logLevel: 'warn', graceMs: 100 })
  await app.google.fail({ error: 'loadQuota', times: 100_000, kind: 'query' })
  const { sql } = await app.stores()

  // The attacker uses the demo: a key, a schedule, another name, and somebody else's address, confirmed in the demo's mailbox.
  const demo = await app.demo()
  await sql(`UPDATE people SET plan = 'agency', granted_plan = 'agency' WHERE demo = 'sample'`)
  const made = await demo.send('POST', '/api/keys', { name: 'kept', scope: 'read', days: null })
  const { key } = made.body as { key: string }
  expect((await withKey(app, key)).status).toBe(200)
  await sql(`UPDATE users SET username = 'boss', display_username = 'boss', email = 'ceo@shop.example' WHERE username = 'demo'`)
  await sql(
    `INSERT INTO report_schedules (user_id, property_id, kind, paper, recipients, enabled, first_start, look_at, created_at)
     SELECT user_id, min(id), 'week', 'a4', '{victim@shop.example}', true, '2026-01-05', now(), now() FROM properties GROUP BY user_id`,
  )
  // Others try it too: one with a password who "confirms" an address and "pays", and one whom the Google stand-in signs in.
  const ann = await registered(app, 'ann')
  const mail = await app.mail.mailTo('ann@example.test', { kind: 'confirm-address' })
  const token = new URL(mail.links.find((link) => link.includes('verify-email')) ?? '').searchParams.get('token')
  await ann.send('POST', '/api/auth/verify-email', { token })
  expect(await me(ann)).toMatchObject({ emailVerified: true })
  await sql(
    `INSERT INTO subscriptions (id, user_id, plan, status, created_at, read_at) SELECT 'sub_1', id, 'pro', 'active', now(), now() FROM users WHERE username = 'ann'`,
  )
  await sql(`UPDATE people SET plan = 'pro' WHERE user_id = (SELECT id FROM users WHERE username = 'ann')`)
  await sql(`INSERT INTO report_brands (user_id, name, colour, sender_name, reply_to, updated_at)
    SELECT id, 'North', '#123456', 'North', 'replies@shop.example', now() FROM users WHERE username IN ('ann', 'boss')`)
  const visitor = await newPerson(app, { email: 'owner@victim.example', sites: { 'sc-domain:victim.example': 'empty' } })
  // An email to whatever address a visitor typed still waits: the demo's mail server was down.
  await sql(`INSERT INTO jobs.job (name, data, start_after) VALUES ('mail', '{}', now() + interval '1 hour')`)

  Object.assign(env, production)
  await app.restart()

  const after = await app.stores()
  expect(await after.sql(`SELECT FROM jobs.job WHERE name LIKE 'mail%' AND state < 'active'`)).toEqual([])
  for (const name of ['boss', 'demo']) expect((await logIn(app, name, 'demo-password')).status).toBe(401)
  for (const held of [demo, visitor, ann]) expect((await held.get('/api/user')).status).toBe(401)
  expect((await withKey(app, key)).status).toBe(401)
  expect(app.logLines.join('\n')).toContain('This data was used for a demo. Closed because anyone could log in: boss, owner.')
  const left = await (
    await app.stores()
  ).sql<{ schedules: number; replies: number; connections: number; addresses: string; plans: string[] }>(
    `SELECT (SELECT count(*)::integer FROM report_schedules) AS schedules,
      (SELECT count(reply_to)::integer FROM report_brands) AS replies, (SELECT count(*)::integer FROM google_connections) AS connections,
      (SELECT string_agg(email || ' ' || email_verified, ', ' ORDER BY email) FROM users) AS addresses,
      (SELECT array_agg(DISTINCT plan) FROM people) AS plans`,
  )
  expect(left).toEqual([
    {
      schedules: 0,
      replies: 0,
      connections: 0,
      addresses: 'ann@example.test false, demo@ranklark.example false, owner@victim.example false',
      plans: ['free'],
    },
  ])
  // People who created their own account keep it, without the address and plan that nobody real vouched for.
  const again = await logIn(app, 'ann', 'a-good-password')
  expect(again.status).toBe(200)
  expect(await me(again.visitor)).toMatchObject({ emailVerified: false, demo: false })
  // A name doesn't turn anybody into the next demo account.
  const taken = { username: 'Demo', email: 'x@example.test', password: 'a-good-password' }
  expect((await app.visitor().send('POST', '/api/auth/register', taken)).status).toBe(409)
  await app.close()
})

test('turned back into a demo it reopens, and a reset deletes what the demo created, whatever its name', { tags: ['full'] }, async () => {
  const env: Record<string, string> = {}
  const app = await startTestApp({ today: '2026-11-10', env, graceMs: 100 })
  await registered(app, 'ann')
  await (await app.stores()).sql(`UPDATE users SET username = 'boss', display_username = 'boss' WHERE username = 'demo'`)
  Object.assign(env, production)
  await app.restart()
  for (const name of Object.keys(production)) env[name] = name === 'DEMO' ? '1' : ''
  await app.restart()
  expect(await me((await logIn(app, 'boss', 'demo-password')).visitor)).toMatchObject({ plan: 'pro', sitesMonitored: 3 })
  Object.assign(env, production)
  await app.restart(async () => {
    const where = { ...production, DATA_DIR: app.dataDir, DATABASE_URL: await databaseUrlOf(app.dataDir) }
    expect(await demoReset(where)).toBe('The demo account was removed.\n')
    expect(await demoReset(where)).toBe("There's no demo account here: nothing was changed.\n")
  })
  expect((await logIn(app, 'ann', 'a-good-password')).status).toBe(200)
  await app.close()
})

test('the sample account of an older installation is recognized by how it was created, not only by its name', async () => {
  const stores = await openTestStores()
  const people = {
    demo: `'demo@ranklark.example', now() - interval '1 hour', NULL`,
    renamed: `'me@example.test', now() - interval '1 hour', now() - interval '1 hour'`,
    person: `'p@example.test', now() - interval '1 hour', now()`,
  }
  await stores.pool.query('ALTER TABLE people DROP COLUMN demo, DROP COLUMN closed_at')
  for (const [id, values] of Object.entries(people)) {
    const [email, createdAt, chosenAt] = values.split(', ')
    await stores.pool.query(`INSERT INTO users (id, name, username, email) VALUES ('${id}', 'demo', 'demo', ${email})`)
    await stores.pool.query(`INSERT INTO people (user_id, created_at, plan_chosen_at) VALUES ('${id}', ${createdAt}, ${chosenAt})`)
    await demoAccounts.up(stores.db)
    const { rows } = await stores.pool.query('SELECT demo FROM people')
    expect(rows).toEqual([{ demo: id === 'person' ? null : 'sample' }])
    await stores.pool.query('DELETE FROM users')
    await stores.pool.query('ALTER TABLE people DROP COLUMN demo, DROP COLUMN closed_at')
  }
  await stores.close()
})
