import { describe, expect } from 'vitest'
import { addressesAskedADay } from '../../src/contract/reports/limits.ts'
import { appTest } from '../support/app-test.ts'
import type { TestApp } from '../support/app.ts'
import { mailedToken, member, registered } from '../support/people.ts'
import { until } from '../support/until.ts'
import type { Visitor } from '../support/visitor.ts'

// Somebody who makes the operator's mail server write to strangers: from many accounts, to many addresses, or to many spellings of one.

const test = appTest({ today: '2026-03-18', demo: false, logLevel: 'warn', env: { ASKS_A_DAY: '640' } })
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const site = 'https://relay.example/'

/** An account with a property, on a plan with scheduled reports. */
async function sender(app: TestApp, name: string): Promise<Visitor> {
  const who = await member(app, { email: `${name}@example.test`, plan: 'agency' })
  await giveProperty(app, `${name}@example.test`)
  return who
}
async function giveProperty(app: TestApp, email: string): Promise<void> {
  const { sql } = await app.stores()
  await sql(`INSERT INTO properties (user_id, name, kind, monitored) SELECT id, $2, 'google', true FROM users WHERE email = $1`, [
    email,
    site,
  ])
}
const reportTo = (who: Visitor, recipients: readonly string[], place: string) =>
  who.send(
    'POST',
    '/api/report-schedules',
    { subject: { property: site }, kind: 'week', paper: 'a4', enabled: true, recipients },
    from(place),
  )
const alertsTo = (who: Visitor, address: string, place: string) => who.send('PUT', '/api/delivery-channels/email', { address }, from(place))
const strangers = (count: number, of: string) => Array.from({ length: count }, (_, at) => `p${at}@${of}.example`)
const newDay = async (app: TestApp) => (await app.stores()).sql('DELETE FROM day_counts')
const allSent = async (app: TestApp) => {
  const { sql } = await app.stores()
  await until(
    () => sql(`SELECT FROM jobs.job WHERE (name LIKE 'mail%' OR name = 'password-resets') AND state IN ('created', 'retry', 'active')`),
    (waiting) => waiting.length === 0,
    60_000,
  )
}

test('an account that has confirmed no address of its own asks nobody, and is told why', async ({ app }) => {
  const who = await registered(app, 'unconfirmed')
  const { sql } = await app.stores()
  await sql(`UPDATE people SET plan = 'agency', granted_plan = 'agency' FROM users WHERE users.id = user_id AND username = 'unconfirmed'`)
  await giveProperty(app, 'unconfirmed@example.test')
  const message =
    "We'll email other people for you only after you confirm your own address. Open the link we sent to unconfirmed@example.test, or request a new one under Profile."
  expect(await reportTo(who, strangers(20, 'bank'), '198.51.100.7')).toMatchObject({ status: 403, body: { message, field: 'recipients' } })
  expect(await alertsTo(who, 'p1@bank.example', '198.51.100.7')).toMatchObject({ status: 403, body: { message, field: 'address' } })
  const token = await mailedToken(app, 'unconfirmed@example.test', 'confirm-address')
  expect((await who.send('POST', '/api/auth/verify-email', { token })).status).toBe(200)
  expect((await reportTo(who, strangers(20, 'bank'), '198.51.100.7')).status).toBe(201)
  expect((await alertsTo(who, 'p1@bank.example', '198.51.100.7')).status).toBe(200)
})

test(
  'one network asks 300 people a day from all its accounts, about reports and alerts together; others can still ask, and none of it uses up confirmations',
  { tags: ['full'] },
  async ({ app }) => {
    await newDay(app)
    const office = '198.51.100.8'
    const senders = await Promise.all(['a', 'b', 'c', 'd'].map((name) => sender(app, `sender-${name}`)))
    const asked: number[] = []
    for (const [at, who] of senders.slice(0, 3).entries())
      for (const part of ['x', 'y']) asked.push((await reportTo(who, strangers(addressesAskedADay / 2, `${part}${at}`), office)).status)
    expect(asked).toEqual([201, 201, 201, 201, 201, 201])
    const message = 'People on your network have already sent 300 confirmation requests today. Try again tomorrow (UTC).'
    const [last] = senders.slice(3)
    expect(await reportTo(last!, ['one-more@bank.example'], office)).toMatchObject({ status: 429, body: { message, field: 'recipients' } })
    expect(await alertsTo(last!, 'one-more@bank.example', office)).toMatchObject({ status: 429, body: { message, field: 'address' } })
    // What was refused doesn't count, and a neighbor can still confirm an address.
    const { sql } = await app.stores()
    expect(await sql(`SELECT used FROM day_counts WHERE what = 'ask-mail' AND whose <> 'everybody'`)).toEqual([{ used: 300 }])
    const form = { username: 'neighbor', email: 'neighbor@example.test', password: 'a-good-password' }
    expect((await app.visitor().send('POST', '/api/auth/register', form, from(office))).status).toBe(200)
    expect(await mailedToken(app, form.email, 'confirm-address')).toBeTruthy()

    // From another network it goes on until the installation's share for requests is used up: half of ASKS_A_DAY.
    expect((await reportTo(last!, strangers(20, 'z'), '198.51.100.9')).status).toBe(201)
    const used = "This installation can't send any more confirmation requests today. Try again tomorrow (UTC)."
    expect(await alertsTo(last!, 'one-more@bank.example', '198.51.100.9')).toMatchObject({ status: 429, body: { message: used } })
    expect(app.logLines.join('')).toContain('more emails to people who have not agreed to any than ASKS_A_DAY allows')
    await sql(`UPDATE day_counts SET used = 640 WHERE what = 'unasked-mail'`)
    const late = { ...form, username: 'late', email: 'late@example.test' }
    expect((await app.visitor().send('POST', '/api/auth/register', late, from('198.51.100.10'))).status).toBe(200)
    // An account's own confirmed address isn't a stranger's.
    await app.visitor().send('POST', '/api/auth/forgot-password', { email: 'sender-a@example.test' }, from('198.51.100.10'))
    await allSent(app)
    expect(await app.mail.mails(late.email)).toEqual([])
    expect((await app.mail.mails('sender-a@example.test')).map(({ kind }) => kind)).toEqual(['reset-password'])
    await sql(`UPDATE day_counts SET day = day - 1`)
    expect((await alertsTo(last!, 'one-more@bank.example', office)).status).toBe(200)
  },
)

test(
  "hundreds of emails to strangers don't hold up the link somebody needs to get into their account",
  { tags: ['full'] },
  async ({ app }) => {
    await newDay(app)
    const who = await sender(app, 'busy')
    await member(app, { email: 'locked-out@example.test' })
    await allSent(app)
    const asked = strangers(addressesAskedADay, 'queue')
    expect((await reportTo(who, asked.slice(0, 50), '198.51.100.11')).status).toBe(201)
    expect((await reportTo(who, asked.slice(50), '198.51.100.11')).status).toBe(201)
    await app.visitor().send('POST', '/api/auth/forgot-password', { email: 'locked-out@example.test' })
    await app.mail.mailTo('locked-out@example.test', { kind: 'reset-password' })
    const { sql } = await app.stores()
    expect((await sql(`SELECT FROM jobs.job WHERE name = 'mail' AND state < 'active'`)).length).toBeGreaterThan(0)
    await allSent(app)
  },
)

describe('another spelling of an address', () => {
  test('is not a different mailbox for registrations, reset links and alerts', { tags: ['full'] }, async ({ app }) => {
    await newDay(app)
    const statuses: number[] = []
    const spelled = (n: number) => (n % 2 === 0 ? `some.one+${n}@gmail.com` : `someone+${n}@googlemail.com`)
    const register = (n: number) => {
      const form = { username: `flood-${n}`, email: spelled(n), password: 'a-good-password' }
      return app.visitor().send('POST', '/api/auth/register', form, from('198.51.100.12'))
    }
    for (let n = 0; n < 14; n += 1) statuses.push((await register(n)).status)
    // Five an hour from one network, as for a single address.
    expect(statuses).toEqual([...Array<number>(5).fill(200), ...Array<number>(9).fill(429)])
    const { sql } = await app.stores()
    for (let n = 14; n < 24; n += 1) {
      if (n % 5 === 4) await sql(`DELETE FROM attempts WHERE key NOT LIKE 'letter-%'`)
      await register(n)
    }
    await allSent(app)
    const mails = await Promise.all(Array.from({ length: 24 }, (_, n) => app.mail.mails(spelled(n))))
    expect(mails.flat()).toHaveLength(10)

    const who = await member(app, { email: 'asks-about-alerts@example.test' })
    const asked: number[] = []
    for (let n = 0; n < 6; n += 1) {
      await sql(`DELETE FROM attempts WHERE key LIKE 'destination-%'`)
      asked.push((await alertsTo(who, `reader+${n}@bank.example`, `198.51.101.${Math.floor(n / 3)}`)).status)
    }
    expect(asked).toEqual(Array(6).fill(200))
    expect(await sql(`SELECT asks FROM letter_counts WHERE about = 'alerts' ORDER BY asks DESC LIMIT 2`)).toEqual([
      { asks: 3 },
      { asks: 3 },
    ])
  })

  test('is no way around "three a day to one person", or around their refusal', { tags: ['full'] }, async ({ app }) => {
    await newDay(app)
    const who = await sender(app, 'many-spellings')
    const spellings = Array.from({ length: 20 }, (_, n) => `stranger+${n}@bank.example`)
    expect((await reportTo(who, spellings, '198.51.100.13')).status).toBe(409)
    expect((await reportTo(who, spellings.slice(0, 3), '198.51.100.13')).status).toBe(201)
    expect((await reportTo(who, spellings.slice(3, 4), '198.51.100.13')).status).toBe(409)

    expect((await reportTo(who, ['client@said-no.example'], '198.51.100.13')).status).toBe(201)
    const { links } = await app.mail.mailTo('client@said-no.example', { kind: 'confirm-report-recipient' })
    const never = links.find((each) => each.includes('/api/report-unsubscribe')) ?? ''
    expect((await fetch(never, { method: 'POST', headers: { origin: 'null' } })).status).toBe(200)
    expect(await reportTo(who, ['Client+a@said-no.example'], '198.51.100.13')).toMatchObject({
      status: 409,
      body: { message: 'Client+a@said-no.example has unsubscribed from your reports. Remove this address.' },
    })

    const { sql } = await app.stores()
    await sql(
      `INSERT INTO alert_mail_refusals (user_id, address, at) SELECT id, 'team@said-no.example', now() FROM users WHERE email = $1`,
      ['many-spellings@example.test'],
    )
    expect(await alertsTo(who, 'team+a@said-no.example', '198.51.100.13')).toMatchObject({ status: 409 })
  })
})

describe('a reader who wants no alerts of an account', () => {
  const password = 'a-good-password'
  const account = (app: TestApp, name: string) => member(app, { email: `${name}@people.example`, password, confirmed: true })
  const leave = async (who: Visitor, username: string) =>
    expect((await who.send('DELETE', '/api/user', { username, password })).status).toBe(204)
  /** The link in the email that asks, below the one to agree. */
  const neverIn = async (app: TestApp, reader: string) => {
    const { links } = await app.mail.mailTo(reader, { kind: 'confirm-delivery-address' })
    const page = new URL(links.find((link) => link.includes('/unsubscribe?')) ?? '')
    return `/api/unsubscribe${page.search}`
  }
  const refusal = (reader: string) => ({
    status: 409,
    body: { message: `We can't send ${reader} a confirmation request right now. Enter another address, or try again later.` },
  })

  test("isn't asked by the next account of the same person, about alerts or reports, but by older accounts", async ({ app }) => {
    const reader = 'colleague@no-alerts.example'
    const older = await account(app, 'older')
    const { sql } = await app.stores()
    await sql(`UPDATE users SET created_at = '2026-01-01' WHERE username = 'older'`)
    const first = await account(app, 'first')
    expect((await alertsTo(first, reader, '198.51.100.31')).status).toBe(200)
    const never = await neverIn(app, reader)
    expect((await app.visitor().get(never)).body).toMatchObject({ subscribed: false, asked: true })
    expect((await app.visitor().send('POST', never)).status).toBe(200)
    expect(await alertsTo(first, reader, '198.51.100.31')).toMatchObject({ status: 409 })
    await leave(first, 'first')

    const second = await account(app, 'second')
    for (const spelling of [reader, 'Colleague+x@no-alerts.example'])
      expect(await alertsTo(second, spelling, '198.51.100.31')).toMatchObject(refusal(spelling.toLowerCase()))
    await sql(`UPDATE people SET plan = 'agency', granted_plan = 'agency' FROM users WHERE users.id = user_id AND username = 'second'`)
    await giveProperty(app, 'second@people.example')
    expect((await reportTo(second, [reader], '198.51.100.31')).status).toBe(409)
    await allSent(app)
    expect((await app.mail.mails(reader)).map(({ kind }) => kind)).toEqual(['confirm-delivery-address'])
    expect((await alertsTo(older, reader, '198.51.100.31')).status).toBe(200)
  })

  test("isn't asked either if the account was deleted before they said so", async ({ app }) => {
    const reader = 'late@no-alerts.example'
    const first = await account(app, 'gone')
    expect((await alertsTo(first, reader, '198.51.100.32')).status).toBe(200)
    const never = await neverIn(app, reader)
    await leave(first, 'gone')
    expect((await app.visitor().get(never)).body).toMatchObject({ subscribed: false, asked: true })
    expect((await app.visitor().send('POST', never)).status).toBe(200)
    expect(await alertsTo(await account(app, 'back-again'), reader, '198.51.100.32')).toMatchObject(refusal(reader))
  })
})
