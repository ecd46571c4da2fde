import { describe, expect } from 'vitest'
import { appTest } from '../support/app-test.ts'
import type { TestApp } from '../support/app.ts'
import { noJobsLeft } from '../support/jobs.ts'
import { member } from '../support/people.ts'
import { sampleReport } from '../support/periodic-report.ts'
import { until } from '../support/until.ts'
import type { Visitor } from '../support/visitor.ts'
import { mailContentOf } from '../../src/server/reports/mail-content.ts'

// What somebody with a slow server can do: with many accounts, and many messages waiting for it.

/** More than there are database connections. */
const many = 12
const hook = '/api/delivery-channels/webhook'
let people = 0

const test = appTest({ today: '2026-03-18', demo: false, logLevel: 'silent' })

const addressOf = (n: number) => `slow${n}@example.test`
async function attackers(app: TestApp, count: number): Promise<{ email: string; person: Visitor }[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const email = addressOf(++people)
      const person = await member(app, { email, plan: 'agency' })
      expect((await person.send('PUT', hook, { url: app.webhook.hookUrl })).status).toBe(200)
      return { email, person }
    }),
  )
}
async function bystander(app: TestApp): Promise<{ email: string; person: Visitor }> {
  const email = addressOf(++people)
  return { email, person: await member(app, { email, plan: 'agency' }) }
}
/** Which of several requests have been answered. */
function monitored<T>(requests: readonly Promise<T>[]): { done: () => number; all: Promise<T[]> } {
  let done = 0
  return { done: () => done, all: Promise.all(requests.map((each) => each.finally(() => (done += 1)))) }
}
const inHand = async (app: TestApp, kind: string): Promise<number> => {
  const { sql } = await app.stores()
  return (await sql(`SELECT 1 FROM leases WHERE kind = $1 AND until > clock_timestamp()`, [kind])).length
}
async function waiting(app: TestApp, email: string, channel: 'webhook' | 'email', count: number, minutesAgo: number): Promise<void> {
  const { sql } = await app.stores()
  const at = new Date(app.google.now().getTime() - minutesAgo * 60_000)
  await sql(
    `INSERT INTO notifications (user_id, channel, kind, message, next_attempt_at, give_up_at, created_at)
     SELECT id, $2, 'alerts', '{"kind":"test","property":null}', $4, $4::timestamptz + interval '1 day', $4 FROM users, generate_series(1, $3)
     WHERE email = $1`,
    [email, channel, count, at],
  )
}

describe("a server that doesn't answer", () => {
  test(
    'gets tests from more accounts than there are database connections: others are answered meanwhile, and each has one test in progress',
    { tags: ['full'] },
    async ({ app }) => {
      const slow = await attackers(app, many)
      const { person, email } = await bystander(app)
      await app.webhook.clear()
      await app.webhook.answer({ status: 200, delayMs: 5_000 })
      const tests = monitored(slow.map((each) => each.person.send('POST', `${hook}/test`)))
      await until(app.webhook.messages, (all) => all.length === many)
      const again = await slow[0]!.person.send('POST', `${hook}/test`)
      expect(again).toMatchObject({ status: 409, body: { message: expect.stringContaining('already on its way') } })
      expect((await person.get('/api/delivery-channels')).status).toBe(200)
      expect((await person.send('POST', '/api/alerts/test-email')).body).toEqual({ email })
      expect(tests.done()).toBe(0)
      expect((await tests.all).map(({ status }) => status)).toEqual(slow.map(() => 200))
      expect((await app.webhook.messages()).length).toBe(many)
    },
  )

  test(
    'has many messages waiting, of several accounts: only a few are sent at a time, and others are notified immediately',
    { tags: ['full'] },
    async ({ app }) => {
      const slow = await attackers(app, 4)
      const { email } = await bystander(app)
      for (const each of slow) await waiting(app, each.email, 'webhook', 20, 30)
      await waiting(app, email, 'email', 1, 1)
      await app.webhook.clear()
      await app.webhook.answer({ hang: true })
      await app.send('delivery-due')
      const mailCount = async () => (await app.mail.mails(email)).length
      await until(mailCount, (mails) => mails === 1)
      await until(app.webhook.mostUnderWay, (most) => most === 4)
      // Messages that arrive during the wait are sent, too.
      await waiting(app, email, 'email', 1, 0)
      await until(mailCount, (mails) => mails === 2)
      expect(await app.webhook.mostUnderWay()).toBe(4)
      const { sql } = await app.stores()
      await sql(`DELETE FROM notifications WHERE channel = 'webhook' AND kind = 'alerts'`)
      await noJobsLeft(app, 'delivery-due')
      await app.webhook.call('POST', '_control/reset')
    },
  )
})

test('a slow payment service only delays people who are paying', { tags: ['full'] }, async ({ app }) => {
  const payers = await Promise.all(Array.from({ length: many }, async () => member(app, { email: addressOf(++people) })))
  const { person } = await bystander(app)
  await app.stripe.call('POST', 'fail', { match: '/v1/customers', status: 503, delayMs: 3_000, times: 5 })
  // Each from a network of its own: of one network, three at a time get that far. Five at a time ask Stripe.
  const choose = (payer: Visitor, n: number) =>
    payer.send('POST', '/api/create-subscription', { planType: 'pro' }, { headers: { 'x-forwarded-for': `198.51.100.${n + 1}` } })
  const begun = monitored(payers.map(choose))
  await until(
    () => inHand(app, 'payment'),
    (held) => held === many,
  )
  expect((await person.get('/api/subscription')).status).toBe(200)
  expect((await person.get('/api/delivery-channels')).status).toBe(200)
  expect(begun.done()).toBe(0)
  expect((await begun.all).map(({ status }) => status)).toEqual(payers.map(() => 200))
})

test(
  "an account with many report emails waiting at a slow mail server gets two of its places; another account's single email is sent in between",
  { tags: ['full'] },
  async ({ app }) => {
    const { sql } = await app.stores()
    const content = mailContentOf({
      title: 'Site',
      kind: 'month',
      period: { start: '2026-02-01', end: '2026-02-28' },
      reports: [sampleReport('https://reported.example/')],
      missing: [],
      brand: null,
    })
    const mailsOf = async (count: number, minutesAgo: number): Promise<string[]> => {
      const { email } = await bystander(app)
      const to = Array.from({ length: count }, (_, n) => `reader${n}.${email}`)
      await sql(
        `WITH owner AS (SELECT id FROM users WHERE email = $1),
       property AS (INSERT INTO properties (user_id, name, kind) SELECT id, 'https://reported.example/', 'google' FROM owner RETURNING id, user_id),
       schedule AS (
         INSERT INTO report_schedules (user_id, property_id, kind, paper, recipients, enabled, first_start, look_at, created_at)
         SELECT user_id, id, 'month', 'a4', $2, true, '2026-02-01', $3::timestamptz + interval '1 day', $3 FROM property RETURNING *),
       run AS (
         INSERT INTO report_runs (user_id, property_id, schedule_id, scheduled, title, kind, paper, state, total, recipients, mail, pdf, created_at)
         SELECT user_id, property_id, id, false, 'Site', 'month', 'a4', 'done', 1, $2, $4, 'pdf', $3 FROM schedule RETURNING *),
       recipient AS (
         INSERT INTO report_recipients (user_id, address, asked_at, confirmed_at) SELECT user_id, unnest(recipients), $3, $3 FROM run)
       INSERT INTO report_mails (run_id, user_id, address, next_attempt_at, give_up_at, created_at)
       SELECT id, user_id, unnest(recipients), $3, $3::timestamptz + interval '1 day', $3 FROM run`,
        [email, to, new Date(app.google.now().getTime() - minutesAgo * 60_000), JSON.stringify(content)],
      )
      return to
    }
    const flood = await mailsOf(10, 30)
    const [reader = ''] = await mailsOf(1, 1)
    const setDelay = (ms: number) => fetch(`${app.mail.url}/_control/delay`, { method: 'PUT', body: JSON.stringify({ ms }) })
    await setDelay(1_500)
    await app.send('report-mails')
    await app.mail.mailTo(reader)
    const arrived = async () => (await app.mail.mails()).filter(({ attachments }) => attachments.length > 0).length
    expect(await arrived()).toBeLessThanOrEqual(3)
    await setDelay(0)
    await until(arrived, (mails) => mails === flood.length + 1)
  },
)
