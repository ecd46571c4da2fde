import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { registered } from '../../../test/support/people.ts'
import { embeddedUrl } from '../../../test/support/stores.ts'
import { deliveryChannels } from '../../contract/delivery-channels.ts'
import { parseConfig } from '../config.ts'
import { openDatabase } from '../database/open.ts'
import { createLog } from '../platform/log.ts'
import { createVault, loadSecretKey } from '../platform/secrets.ts'
import type { Channel } from './channel.ts'
import { createDestinations } from './destinations.ts'
import { createDispatch } from './dispatch.ts'
import { write } from './outbox.ts'
import { createSlackChannel } from './slack/slack.ts'

// Workers of several processes on one database, each with connections of its own.

const messages = 40
let app: TestApp
const pools: pg.Pool[] = []

beforeAll(async () => {
  app = await startTestApp({ today: '2026-03-18', demo: false })
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  await app.close()
})

async function createWorker(channel?: Channel) {
  const pool = new pg.Pool({ connectionString: await embeddedUrl(app.dataDir), max: 5 })
  pools.push(pool)
  const db = openDatabase(pool)
  const slack = channel ?? createSlackChannel(parseConfig({ SLACK_URL: app.slack.url }).slack)
  const unused: Channel = { send: () => Promise.reject(new Error('only Slack is used here')) }
  const dispatch = createDispatch({
    db,
    channels: { email: unused, sms: unused, webhook: unused, slack },
    destinations: createDestinations(db, createVault(await loadSecretKey({ dataDir: app.dataDir }))),
    baseUrl: () => app.url,
    clock: app.google,
    log: createLog('silent'),
  })
  return { db, dispatch }
}

test('three workers that race for the same messages send each of them once', async () => {
  const person = await registered(app, 'racer')
  const { sql } = await app.stores()
  const [user] = await sql<{ id: string }>(
    `UPDATE people SET plan = 'agency' FROM users WHERE users.id = user_id AND username = 'racer' RETURNING users.id`,
  )
  expect((await person.send('PUT', '/api/delivery-channels/slack', { webhookUrl: app.slack.hookUrl() })).status).toBe(200)
  await app.slack.call('PUT', '_control/limit', null)
  const workers = await Promise.all([createWorker(), createWorker(), createWorker()])
  const { db } = workers[0]!
  for (let index = 0; index < messages; index += 1) {
    const message = { kind: 'test', property: `message ${index}` } as const
    await db.transaction().execute((trx) => write(trx, { userId: user!.id, propertyId: null, channel: 'slack', message }, app.google.now()))
  }
  await Promise.all(workers.map(({ dispatch }) => dispatch.sendDue(new AbortController().signal)))
  expect(await app.slack.messages()).toHaveLength(messages)
  expect(await sql(`SELECT state, attempts, count(*)::integer FROM notifications GROUP BY 1, 2`)).toEqual([
    { state: 'sent', attempts: 1, count: messages },
  ])
})

test('an address that somebody gives while the one before is refused for good stays open', async () => {
  const person = await registered(app, 'mover')
  const { sql } = await app.stores()
  const [user] = await sql<{ id: string }>(
    `UPDATE people SET plan = 'agency' FROM users WHERE users.id = user_id AND username = 'mover' RETURNING users.id`,
  )
  const give = async (hook: string) => {
    const webhookUrl = app.slack.hookUrl(hook)
    expect((await person.send('PUT', '/api/delivery-channels/slack', { webhookUrl })).status).toBe(200)
  }
  const problem = async () => deliveryChannels.parse((await person.get('/api/delivery-channels')).body).slack.problem
  const sendOne = async (whileItIsSent: () => Promise<void>) => {
    const { db, dispatch } = await createWorker({
      async send() {
        await whileItIsSent()
        return { outcome: 'refused', reason: 'It was archived.', disables: true }
      },
    })
    const message = { kind: 'test', property: null } as const
    await db.transaction().execute((trx) => write(trx, { userId: user!.id, propertyId: null, channel: 'slack', message }, app.google.now()))
    await dispatch.sendDue(new AbortController().signal)
  }
  await give('T00000001/B00000001/aaaaaaaaaaaaaaaaaaaaaaaa')
  await sendOne(() => give('T00000001/B00000002/bbbbbbbbbbbbbbbbbbbbbbbb'))
  expect(await problem()).toBeNull()
  await sendOne(async () => {})
  expect(await problem()).toBe('It was archived.')
})
