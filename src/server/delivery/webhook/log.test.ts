import { expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import { runJob } from '../../../../test/support/jobs.ts'
import { member } from '../../../../test/support/people.ts'
import { until } from '../../../../test/support/until.ts'
import { webhookDeliveries, type WebhookDelivery, webhookDeliveryInFull } from '../../../contract/delivery/webhook-log.ts'

const path = '/api/webhook-deliveries'
let people = 0

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('receiver', async ({ app }) => {
    await app.webhook.reset()
    const email = `person${++people}@example.test`
    const person = await member(app, { email, plan: 'agency' })
    await person.send('PUT', '/api/delivery-channels/webhook', { url: app.webhook.hookUrl })
    return { email, person }
  })
  .extend('log', ({ receiver: { person } }) => {
    const list = async (who = person, query = '') => webhookDeliveries.parse((await who.get(`${path}${query}`)).body)
    const sendTest = () => person.send('POST', '/api/delivery-channels/webhook/test')
    const latest = async (): Promise<WebhookDelivery> => {
      const [first] = (await list()).deliveries
      if (!first) throw new Error('nothing was sent')
      return first
    }
    const inFull = async (id: string) => webhookDeliveryInFull.parse((await person.get(`${path}/${id}`)).body)
    const resend = (id: string, who = person) => who.send('POST', `${path}/${id}/resend`)
    const sent = () => until(latest, ({ state }) => state === 'sent')
    return { list, sendTest, latest, inFull, resend, sent }
  })

test('each message is listed with its content, the responses and how long they took', async ({
  app,
  log: { sendTest, latest, inFull },
}) => {
  await app.webhook.answer({ status: 200, body: 'thank you\u0000\u202E' })
  await sendTest()
  const delivery = await latest()
  expect(delivery).toMatchObject({ kind: 'test', about: 'Test message', state: 'sent', nextAttemptAt: null, resendLocked: null })
  expect(delivery.attempts).toEqual([
    { at: '2026-03-18T20:00:00.000Z', status: 200, ms: expect.any(Number) as number, answer: 'thank you��', detail: null },
  ])
  const { headers, body } = await app.webhook.message()
  expect(headers['webhook-id']).toBe(delivery.key)
  expect(JSON.parse((await inFull(delivery.id)).body ?? '')).toEqual(JSON.parse(body))
})

test('a failed message says why, and can be resent with the same ID once that is fixed', async ({
  app,
  log: { sendTest, latest, resend, sent },
}) => {
  await app.webhook.answer({ status: 500, body: 'out of order' })
  await sendTest()
  const failed = await latest()
  expect(failed).toMatchObject({
    state: 'failed',
    attempts: [{ status: 500, answer: 'out of order', detail: 'Your server responded with 500.' }],
  })
  await app.webhook.answer({ status: 204 })
  await app.webhook.clear()

  const answer = await resend(failed.id)
  expect(answer.status).toBe(200)
  expect((await sent()).attempts.map(({ status }) => status)).toEqual([500, 204])
  expect((await app.webhook.message()).headers['webhook-id']).toBe(failed.key)
})

test('a delivered message can be resent too', async ({ app, log: { sendTest, latest, resend, sent } }) => {
  await sendTest()
  const { id, key } = await latest()
  await app.webhook.clear()
  await resend(id)
  await until(
    () => app.webhook.messages(),
    (messages) => messages.length === 1,
  )
  expect((await app.webhook.message()).headers['webhook-id']).toBe(key)
  expect((await sent()).attempts).toHaveLength(2)
})

test('for a message that was resent many times, the latest hundred attempts are listed', async ({ app, log: { sendTest, latest } }) => {
  await sendTest()
  const { sql } = await app.stores()
  await sql(
    `INSERT INTO webhook_attempts (notification_id, at, status, ms)
     SELECT (SELECT max(id) FROM notifications), (SELECT max(at) FROM webhook_attempts), n, 1 FROM generate_series(200, 319) AS n ORDER BY n`,
  )
  expect((await latest()).attempts.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, (_, at) => 220 + at))
})

test("a server that doesn't respond leaves an attempt without a status, and the time of the next one", async ({
  app,
  log: { sendTest, latest, resend },
}) => {
  await sendTest()
  const { id } = await latest()
  const { sql } = await app.stores()
  // A test is tried once; alerts are retried.
  const message = { kind: 'alerts', property: 'https://site.example/', items: [] }
  await sql(`UPDATE notifications SET kind = 'alerts', message = $2 WHERE id = $1`, [id, JSON.stringify(message)])
  await app.webhook.fail({ connectionReset: true })
  await resend(id)
  const waiting = await until(latest, ({ attempts }) => attempts.length === 2)
  expect(waiting).toMatchObject({ state: 'waiting', nextAttemptAt: expect.stringMatching(/^2026-03-18T20:00/) as string })
  expect(waiting.attempts[1]).toMatchObject({ status: null, answer: null, detail: 'Your server dropped the connection.' })
})

test('the list is paginated', async ({ receiver: { person }, log: { list, sendTest } }) => {
  for (let count = 0; count < 3; count += 1) await sendTest()
  const all = (await list()).deliveries.map(({ id }) => id)
  expect(all).toHaveLength(3)
  const first = await list(person, '?limit=2')
  expect(first).toMatchObject({ more: true })
  const rest = await list(person, `?limit=2&before=${first.deliveries.at(-1)?.id}`)
  expect([...first.deliveries, ...rest.deliveries].map(({ id }) => id)).toEqual(all)
  expect(rest.more).toBe(false)
})

test("someone else's messages can't be seen or resent", async ({ app, log: { list, sendTest, latest, resend } }) => {
  await sendTest()
  const { id } = await latest()
  const stranger = await member(app, { email: `stranger${people}@example.test`, plan: 'agency' })
  expect((await list(stranger)).deliveries).toEqual([])
  expect((await stranger.get(`${path}/${id}`)).status).toBe(404)
  expect((await resend(id, stranger)).status).toBe(404)
})

test("on a plan without webhooks, messages are still listed but can't be resent", async ({
  app,
  receiver: { email },
  log: { sendTest, latest, resend },
}) => {
  await sendTest()
  const { id } = await latest()
  const { sql } = await app.stores()
  await sql(`UPDATE people SET plan = 'pro' WHERE user_id = (SELECT id FROM users WHERE email = $1)`, [email])
  expect((await latest()).resendLocked).toContain('Available on the Agency plan')
  expect((await resend(id)).status).toBe(403)
})

test("after 90 days, contents and responses are deleted and can't be resent", async ({ app, log: { sendTest, latest } }) => {
  await sendTest()
  const { id } = await latest()
  app.google.advance(91 * 24 * 3_600_000)
  await runJob(app, 'delivery-sweep')
  const { sql } = await app.stores()
  expect(await sql('SELECT 1 FROM webhook_attempts WHERE notification_id = $1', [id])).toEqual([])
  const late = await member(app, { email: `late${people}@example.test` })
  expect((await late.get(path)).status).toBe(200)
  const [row] = await sql<{ message: object }>('SELECT message FROM notifications WHERE id = $1', [id])
  expect(row?.message).toEqual({})
})
