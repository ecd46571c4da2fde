import { expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import { runJob } from '../../../../test/support/jobs.ts'
import { mailedToken, member, newPerson, refresh, registered, select, shortenHistory, synced } from '../../../../test/support/people.ts'
import { totp } from '../../../../test/support/totp.ts'
import { until } from '../../../../test/support/until.ts'
import type { Visitor } from '../../../../test/support/visitor.ts'
import { twoFactorSetup } from '../../../contract/account/profile.ts'
import { apiKeyMade } from '../../../contract/api-keys.ts'
import { auditDays, type AuditEvent, auditLog, auditPageSize } from '../../../contract/audit.ts'
import { session } from '../../../contract/user.ts'
import { activityWords } from '../../../core/accounts/copy.ts'

const site = 'https://mine.example/'
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1'
const password = 'a-good-password'

const test = appTest({ today: '2026-03-18', demo: false }).extend('sql', { scope: 'file' }, async ({ app }) => (await app.stores()).sql)

async function eventsOf(person: Visitor): Promise<AuditEvent[]> {
  const { status, body } = await person.get('/api/audit-log')
  expect(status).toBe(200)
  return auditLog.parse(body).events
}
const changesOf = async (person: Visitor) => (await eventsOf(person)).map(({ change }) => change).toReversed()
const kindsOf = async (person: Visitor) => (await changesOf(person)).map(({ kind }) => kind)
const idOf = async (person: Visitor) => session.parse((await person.get('/api/auth/session')).body).user?.id ?? ''

test(
  "doesn't show the owner the network address and browser with which a reader opened an email's link",
  { tags: ['full'] },
  async ({ app }) => {
    const owner = await member(app, { email: 'curious@example.test' })
    await owner.send('PUT', '/api/delivery-channels/email', { address: 'reader@example.test' })
    const from = { headers: { 'user-agent': phone, 'x-forwarded-for': '203.0.113.99' } }
    const token = await mailedToken(app, 'reader@example.test', 'confirm-delivery-address')
    expect((await app.visitor().send('POST', '/api/delivery-channels/email/confirm', { token }, from)).status).toBe(200)
    const [agreed] = await eventsOf(owner)
    expect(agreed).toMatchObject({
      by: 'reader',
      address: null,
      userAgent: null,
      change: { kind: 'destination-set', details: { to: 'reader@example.test' } },
    })
  },
)

test('logs a login from another device with its browser and address, and a failed one too', async ({ app }) => {
  const person = await registered(app, 'anna')
  const other = app.visitor()
  const from = { headers: { 'user-agent': phone, 'x-forwarded-for': '203.0.113.7' } }
  const wrong = await other.send('POST', '/api/auth/login', { username: 'anna', password: 'not-hers' }, from)
  expect(wrong.status).toBe(401)
  await other.send('POST', '/api/auth/login', { username: 'anna', password }, from)
  await other.send('POST', '/api/auth/logout', undefined, from)
  const events = (await eventsOf(person)).toReversed()
  expect(events.map(({ change }) => change)).toEqual([
    { kind: 'registered', details: { with: 'password' } },
    { kind: 'sign-in-failed', details: { at: 'password' } },
    { kind: 'signed-in', details: { with: 'password' } },
    { kind: 'signed-out', details: {} },
  ])
  for (const event of events.slice(1)) expect(event).toMatchObject({ by: 'person', key: null, userAgent: phone, address: '203.0.113.7' })
  expect(events[0]).toMatchObject({ by: 'person', at: expect.stringMatching(/^2026-03-18T20:00/) })
})

test('a login with an unknown name leaves no trace anywhere', async ({ app, sql }) => {
  const counted = async () => (await sql<{ n: string }>('SELECT count(*) AS n FROM audit_events'))[0]?.n
  const before = await counted()
  expect((await app.visitor().send('POST', '/api/auth/login', { username: 'nobody.there', password })).status).toBe(401)
  expect(await counted()).toBe(before)
})

test('logs everything about access: password, second factor, codes, sessions', async ({ app }) => {
  const person = await registered(app, 'bert')
  const newPassword = 'another-good-password'
  await person.send('POST', '/api/user/password', { currentPassword: password, newPassword })
  const { secret, recoveryCodes } = twoFactorSetup.parse(
    (await person.send('POST', '/api/user/two-factor', { password: newPassword })).body,
  )
  await person.send('POST', '/api/user/two-factor/confirm', { code: totp(secret) })
  const other = app.visitor()
  await other.send('POST', '/api/auth/login', { username: 'bert', password: newPassword })
  expect((await other.send('POST', '/api/auth/two-factor', { code: 'wrong-code' })).status).toBe(401)
  expect((await other.send('POST', '/api/auth/two-factor', { code: recoveryCodes[0] })).status).toBe(200)
  await person.send('DELETE', '/api/user/sessions')
  await person.send('DELETE', '/api/user/two-factor', { password: newPassword })
  await person.send('PATCH', '/api/user', { username: 'Bertram', email: 'bertram@example.test' })
  await person.send('DELETE', '/api/user', { username: 'Bertram', password: 'wrong-password' })
  expect(await changesOf(person)).toEqual([
    { kind: 'registered', details: { with: 'password' } },
    { kind: 'password-changed', details: {} },
    { kind: 'two-factor-on', details: {} },
    { kind: 'sign-in-failed', details: { at: 'code' } },
    { kind: 'signed-in', details: { with: 'recovery-code' } },
    { kind: 'sessions-ended', details: {} },
    { kind: 'two-factor-off', details: {} },
    { kind: 'username-changed', details: { from: 'bert', to: 'Bertram' } },
    { kind: 'address-changed', details: { from: 'bert@example.test', to: 'bertram@example.test' } },
    { kind: 'deletion-refused', details: {} },
  ])
})

test('logs when a forgotten password is requested, which counts as done by the server, and when it is set', async ({ app }) => {
  const person = await registered(app, 'carla')
  await app.visitor().send('POST', '/api/auth/forgot-password', { email: 'carla@example.test' })
  const asked = await until(
    () => eventsOf(person),
    (events) => events[0]?.change.kind === 'password-reset-asked',
  )
  expect(asked[0]).toMatchObject({ by: 'house', address: null, userAgent: null })
})

test('logs changes to Google, properties and the plan, including those that happen without anybody', async ({ app }) => {
  const person = await newPerson(app, { email: 'dora@example.test', sites: { [site]: 'empty' }, plan: 'pro' })
  await shortenHistory(app, site, 3)
  await select(person, site)
  await synced(person, site)
  await app.google.call('POST', 'tokens/revoke', { account: 'dora@example.test' })
  await refresh(person, site)
  await person.send('POST', '/api/create-subscription', { planType: 'free' })
  await person.send('PATCH', '/api/user', { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null })
  expect(await changesOf(person)).toEqual([
    { kind: 'registered', details: { with: 'google' } },
    { kind: 'signed-in', details: { with: 'google' } },
    { kind: 'google-connected', details: { account: 'dora@example.test' } },
    { kind: 'property-monitored', details: { property: site } },
    { kind: 'google-lost', details: { because: 'token_revoked' } },
    { kind: 'plan-changed', details: { from: 'pro', to: 'free' } },
    { kind: 'google-disconnected', details: { account: 'dora@example.test' } },
  ])
  expect((await eventsOf(person)).find(({ change }) => change.kind === 'google-lost')).toMatchObject({ by: 'house', address: null })
})

test('logs keys, destinations, links, the brand and exports by name, and never a secret', async ({ app, sql }) => {
  const person = await registered(app, 'emil')
  const id = await idOf(person)
  await sql(`UPDATE people SET plan = 'agency' WHERE user_id = $1`, [id])
  const made = apiKeyMade.parse((await person.send('POST', '/api/keys', { name: 'Loo\uD800ker', scope: 'read', days: null })).body)
  const ask = (address: string) =>
    app.visitor().get('/api/v1/properties', { headers: { authorization: `Bearer ${made.key}`, 'x-forwarded-for': address } })
  expect((await ask('203.0.113.9')).status).toBe(200)
  await person.send('DELETE', `/api/keys/${made.apiKey.id}`)
  const hook = app.slack.hookUrl('T00000001/B00000009/abcdefghijklmnopqrstuvwx')
  await person.send('PUT', '/api/delivery-channels/slack', { webhookUrl: hook })
  await person.send('DELETE', '/api/delivery-channels/slack')
  await person.send('DELETE', '/api/delivery-channels/slack')
  await person.send('PUT', '/api/delivery-channels/webhook', { url: app.webhook.hookUrl })
  await person.send('PUT', '/api/report-brand', { name: 'Emil & Co', color: '#123456', senderName: 'Emil', replyTo: null })
  await person.get('/api/user/export')
  const events = await eventsOf(person)
  expect(events.map(({ change }) => change.kind).toReversed()).toEqual([
    'registered',
    'key-created',
    'key-used',
    'key-revoked',
    'destination-set',
    'destination-removed',
    'destination-set',
    'brand-changed',
    'data-exported',
  ])
  expect(events.find(({ change }) => change.kind === 'key-used')).toMatchObject({ by: 'key', address: '203.0.113.9' })
  const stored = JSON.stringify(await sql('SELECT * FROM audit_events WHERE user_id = $1', [id]))
  for (const secret of [made.key, 'abcdefghijklmnopqrstuvwx', password]) expect(stored).not.toContain(secret)
})

test('logs the use of a key once per network, 200 times a day', { tags: ['full'] }, async ({ app, sql }) => {
  const person = await registered(app, 'frida')
  const id = await idOf(person)
  await sql(`UPDATE people SET plan = 'agency' WHERE user_id = $1`, [id])
  const { key } = apiKeyMade.parse((await person.send('POST', '/api/keys', { name: 'Sheet', scope: 'read', days: null })).body)
  async function ask(address: string): Promise<void> {
    await app.visitor().get('/api/v1/properties', { headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': address } })
    app.google.advance(61_000)
  }
  for (const address of ['203.0.113.1', '203.0.113.1', '203.0.113.2', '203.0.113.1', '2001:db8::1', '2001:db8::2']) await ask(address)
  const used = (await eventsOf(person)).filter(({ change }) => change.kind === 'key-used')
  expect(used.map(({ address }) => address)).toEqual(['2001:db8::1', '203.0.113.2', '203.0.113.1'])
  // Those of other keys, made and revoked in turn.
  await sql(
    `INSERT INTO audit_events (user_id, at, kind, actor, details) SELECT $1, $2, 'key-used', 'key', '{"id":"0"}' FROM generate_series(1, 196)`,
    [id, app.google.now()],
  )
  for (const address of ['203.0.113.3', '203.0.113.4']) await ask(address)
  expect(await sql(`SELECT 1 FROM audit_events WHERE user_id = $1 AND kind = 'key-used'`, [id])).toHaveLength(200)
})

test("doesn't log what didn't happen", async ({ app }) => {
  const person = await registered(app, 'gustav')
  await registered(app, 'taken')
  expect((await person.send('PATCH', '/api/user', { username: 'taken' })).status).toBe(409)
  expect((await person.send('POST', '/api/user/password', { currentPassword: 'wrong-one', newPassword: password })).status).toBe(403)
  expect((await person.send('DELETE', '/api/keys/1')).status).toBe(404)
  expect(await kindsOf(person)).toEqual(['registered'])
})

test(
  'logs an event repeated for hours 200 times a day, which leaves room for everything else',
  { tags: ['full'] },
  async ({ app, sql }) => {
    const person = await registered(app, 'repeating')
    const id = await idOf(person)
    await sql(
      `INSERT INTO audit_events (user_id, at, kind, actor, details) SELECT $1, now(), 'data-exported', 'person', '{}' FROM generate_series(1, 199)`,
      [id],
    )
    for (let n = 0; n < 3; n += 1) await person.get('/api/user/export')
    await person.send('PATCH', '/api/user', { username: 'repeated' })
    const count = async (kind: string) => (await sql('SELECT 1 FROM audit_events WHERE user_id = $1 AND kind = $2', [id, kind])).length
    expect([await count('data-exported'), await count('username-changed')]).toEqual([200, 1])
  },
)

test('logs failed logins 200 times a day, however long somebody guesses', async ({ app, sql }) => {
  const id = await idOf(await registered(app, 'guessed-at'))
  await sql(
    `INSERT INTO audit_events (user_id, at, kind, actor, details)
     SELECT $1, $2, 'sign-in-failed', 'person', '{"at":"password"}' FROM generate_series(1, 199)`,
    [id, app.google.now()],
  )
  for (let n = 0; n < 3; n += 1) {
    const guess = { username: 'guessed-at', password: `guess-number-${n}` }
    expect((await app.visitor().send('POST', '/api/auth/login', guess)).status).toBe(401)
  }
  expect(await sql(`SELECT 1 FROM audit_events WHERE user_id = $1 AND kind = 'sign-in-failed'`, [id])).toHaveLength(200)
})

test("sessions that don't exist aren't ended", async ({ app, sql }) => {
  const person = await registered(app, 'alone')
  for (let n = 0; n < 2; n += 1) expect((await person.send('DELETE', '/api/user/sessions')).status).toBe(204)
  expect(await sql(`SELECT 1 FROM audit_events WHERE user_id = $1 AND kind = 'sessions-ended'`, [await idOf(person)])).toEqual([])
})

test('long logs come in pages that contain everything once', async ({ app, sql }) => {
  const person = await registered(app, 'hanna')
  await sql(
    `INSERT INTO audit_events (user_id, at, kind, actor, details)
     SELECT $1, now(), 'username-changed', 'person', json_build_object('from', n, 'to', n)::jsonb || '{"from":"a","to":"b"}' FROM generate_series(1, 119) AS n`,
    [await idOf(person)],
  )
  const seen: string[] = []
  for (let before: string | null = ''; before !== null;) {
    const page = auditLog.parse((await person.get(`/api/audit-log${before && `?before=${before}`}`)).body)
    expect(page.events.length).toBeLessThanOrEqual(auditPageSize)
    seen.push(...page.events.map(({ id }) => id))
    before = page.next
  }
  expect(new Set(seen).size).toBe(120)
  expect(seen).toHaveLength(120)
  expect(seen.map(Number)).toEqual(seen.map(Number).toSorted((a, b) => b - a))
  expect((await person.get('/api/audit-log?before=x')).status).toBe(400)
})

test("nobody sees another user's log", async ({ app }) => {
  const [ida, jan] = [await registered(app, 'ida'), await registered(app, 'jan')]
  const [event] = await eventsOf(ida)
  const page = auditLog.parse((await jan.get(`/api/audit-log?before=${Number(event?.id) + 1}`)).body)
  expect(page.events.map(({ id }) => id)).not.toContain(event?.id)
  expect((await app.visitor().get('/api/audit-log')).status).toBe(401)
})

test('skips events that only a newer version knows', async ({ app, sql }) => {
  const person = await registered(app, 'karl')
  await sql(`INSERT INTO audit_events (user_id, at, kind, actor) VALUES ($1, now(), 'teleported', 'person')`, [await idOf(person)])
  expect(await kindsOf(person)).toEqual(['registered'])
})

test('entries are kept for their retention time, and deleted with the account', async ({ app, sql }) => {
  const person = await registered(app, 'lena')
  const id = await idOf(person)
  const days = (n: number) => new Date(app.google.now().getTime() - n * 86_400_000)
  for (const age of [auditDays - 1, auditDays + 1])
    await sql(`INSERT INTO audit_events (user_id, at, kind, actor) VALUES ($1, $2, 'signed-out', 'person')`, [id, days(age)])
  await runJob(app, 'sweep-audit-log')
  expect(await kindsOf(person)).toEqual(['registered', 'signed-out'])
  expect((await person.send('DELETE', '/api/user', { username: 'lena', password })).status).toBe(204)
  expect(await sql('SELECT 1 FROM audit_events WHERE user_id = $1', [id])).toEqual([])
})

test('every event has a text for people', () => {
  expect(activityWords({ kind: 'signed-in', details: { with: 'password' } })).toBe('Logged in with a password')
  expect(activityWords({ kind: 'plan-changed', details: { from: 'agency', to: 'free' } })).toBe('Plan changed from Agency to Free')
})
