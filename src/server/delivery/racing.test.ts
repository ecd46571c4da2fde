import { sql as sqlOf } from 'kysely'
import pg from 'pg'
import { expect } from 'vitest'
import type { TestApp } from '../../../test/support/app.ts'
import { appTest } from '../../../test/support/app-test.ts'
import { noJobsLeft, runJob } from '../../../test/support/jobs.ts'
import { member, registered } from '../../../test/support/people.ts'
import { putAlerts } from '../../../test/support/stored-alerts.ts'
import { databaseUrlOf } from '../../../test/support/stores.ts'
import { until } from '../../../test/support/until.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { deliveryChannels } from '../../contract/delivery/channels.ts'
import type { DeliverySettings } from '../../contract/delivery/delivery.ts'
import { parseConfig } from '../config.ts'
import { announce } from '../alerts/incidents/announce.ts'
import { createEventBus } from '../common/events.ts'
import { type Db, openDatabase } from '../database/open.ts'
import { createLog } from '../platform/log.ts'
import { createVault, loadSecretKeys } from '../platform/secrets.ts'
import { alertsServiceOn } from '../../../test/support/alerts-service.ts'
import type { Channel } from './channels/channel.ts'
import { createDestinations } from './destinations.ts'
import { createDispatch } from './dispatch.ts'
import type { MessageOf } from './message.ts'
import { createAnnouncements } from './announcements.ts'
import { mostSevere, write } from './pending.ts'
import { planAlerts } from './plan-alerts.ts'
import { createSlackChannel } from './slack/slack.ts'
import { readWebhookDestination } from './webhook/destination.ts'

// Workers of several processes on one database, each with its own connections.

const messages = 40

/** The server looks for due messages after that; what a test stores next is left to its own workers. */
async function connectSlack(app: TestApp, person: Visitor): Promise<void> {
  expect((await person.send('PUT', '/api/delivery-channels/slack', { webhookUrl: app.slack.hookUrl() })).status).toBe(200)
  await noJobsLeft(app, 'delivery-due')
}

/** A new account on the Agency plan with a Slack channel. */
async function agencyOnSlack(app: TestApp, username: string) {
  const person = await registered(app, username)
  const { sql } = await app.stores()
  const [user] = await sql<{ id: string }>(
    `UPDATE people SET plan = 'agency' FROM users WHERE users.id = user_id AND username = $1 RETURNING users.id`,
    [username],
  )
  await connectSlack(app, person)
  return { person, userId: user!.id, sql }
}

const test = appTest({ today: '2026-03-18', demo: false }).extend('createWorker', { scope: 'file' }, ({ app }, { onCleanup }) => {
  const pools: pg.Pool[] = []
  onCleanup(async () => void (await Promise.all(pools.map((pool) => pool.end()))))
  return async function createWorker(channel?: Channel) {
    const pool = new pg.Pool({ connectionString: await databaseUrlOf(app.dataDir), max: 5 })
    // The database goes down while connections are still closing.
    pool.on('error', () => {})
    pools.push(pool)
    const db = openDatabase(pool)
    const slack = channel ?? createSlackChannel(parseConfig({ SLACK_URL: app.slack.url }).slack)
    const unused: Channel = { send: () => Promise.reject(new Error('only Slack is used here')) }
    const destinations = createDestinations(db, createVault(...(await loadSecretKeys({ dataDir: app.dataDir }))))
    const dispatch = createDispatch({
      db,
      channels: { email: unused, sms: unused, webhook: channel ?? unused, slack },
      destinations,
      settingsOf: async () => slackOnly,
      baseUrl: () => app.url,
      clock: app.google,
      log: createLog('silent'),
    })
    return { db, dispatch, destinations }
  }
})

test('three workers racing for the same messages send each one once', async ({ app, createWorker }) => {
  const { userId, sql } = await agencyOnSlack(app, 'racer')
  await app.slack.call('PUT', '_control/limit', null)
  const workers = await Promise.all([createWorker(), createWorker(), createWorker()])
  const { db } = workers[0]!
  for (let index = 0; index < messages; index += 1) {
    const message = { kind: 'test', property: `message ${index}` } as const
    await db.transaction().execute((trx) => write(trx, { userId, propertyId: null, channel: 'slack', message }, app.google.now()))
  }
  await Promise.all(workers.map(({ dispatch }) => dispatch.sendDue(new AbortController().signal)))
  expect(await app.slack.messages()).toHaveLength(messages)
  expect(await sql(`SELECT state, attempts, count(*)::integer FROM notifications GROUP BY 1, 2`)).toEqual([
    { state: 'sent', attempts: 1, count: messages },
  ])
})

test(
  'a port that never responds takes no slots of another service on the same host, and one person at most half of its own',
  { tags: ['full'] },
  async ({ app, createWorker }) => {
    const { sql } = await app.stores()
    const recipients = ['swallower', 'silencer', 'customer']
    for (const name of recipients) {
      const person = await member(app, { email: `${name}@example.test`, plan: 'agency' })
      const url = `https://hooks.example.com${name === 'customer' ? '' : ':9999'}/hook`
      expect((await person.send('PUT', '/api/delivery-channels/webhook', { url })).status).toBe(200)
    }
    await noJobsLeft(app, 'delivery-due')
    const underWay: string[] = []
    const free = Promise.withResolvers<void>()
    const { dispatch } = await createWorker({
      async send({ destination }) {
        const { host } = new URL(readWebhookDestination(destination)?.url ?? '')
        underWay.push(host)
        if (host.endsWith(':9999')) await free.promise
        return { outcome: 'sent' }
      },
    })
    const add = (name: string, count: number) =>
      sql(
        `INSERT INTO notifications (user_id, channel, kind, message, next_attempt_at, give_up_at, created_at)
       SELECT id, 'webhook', 'alerts', '{"kind":"test","property":null}', $3, $3::timestamptz + interval '1 day', $3
       FROM users, generate_series(1, $2) WHERE email = $1`,
        [`${name}@example.test`, count, app.google.now()],
      )
    await add('swallower', 5)
    const sending = dispatch.sendDue(new AbortController().signal)
    await until(
      async () => underWay.length,
      (count) => count === 2,
    )
    await add('silencer', 5)
    await until(
      async () => underWay.length,
      (count) => count === 4,
    )
    await add('customer', 1)
    await until(
      async () => underWay.length,
      (count) => count === 5,
    )
    expect(underWay).toEqual([...Array.from({ length: 4 }, () => 'hooks.example.com:9999'), 'hooks.example.com'])
    free.resolve()
    await sending
    // A message whose slot became free only at the very end is sent by the next round.
    await dispatch.sendDue(new AbortController().signal)
    expect(underWay).toHaveLength(11)
  },
)

test('an address entered while the previous one is being rejected stays enabled', async ({ app, createWorker }) => {
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

test("a message that is deleted with its account while it is being sent isn't waited for: another one is stored as sent, and neither is sent again", async ({
  app,
  createWorker,
}) => {
  const { userId, sql } = await agencyOnSlack(app, 'leaver')
  const deleter = await createWorker()
  const [deleting, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // As an account is deleted.
  const deletion = async () => {
    await deleter.db.updateTable('people').set({ closedAt: app.google.now() }).where('userId', '=', userId).execute()
    await deleter.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('notifications').where('key', '=', handedOver[0]!).execute()
      deleting.resolve()
      await mayEnd.promise
    })
  }
  const [handedOver, deletions]: [string[], Promise<void>[]] = [[], []]
  const { db, dispatch } = await createWorker({
    async send({ key }) {
      handedOver.push(key)
      if (handedOver.length === 2) deletions.push(deletion())
      await deleting.promise
      return { outcome: 'sent' }
    },
  })
  const message: MessageOf<'alerts'> = { kind: 'alerts', properties: [], monitored: 1 }
  for (let count = 0; count < 2; count += 1) {
    await db.transaction().execute((trx) => write(trx, { userId, propertyId: null, channel: 'slack', message }, app.google.now()))
  }
  const stored = () => sql('SELECT state FROM notifications WHERE user_id = $1 ORDER BY state', [userId])
  let isDone = false
  const sending = dispatch.sendDue(new AbortController().signal).then(() => void (isDone = true))
  try {
    await until(async () => isDone, Boolean)
    expect(await stored()).toEqual([{ state: 'sent' }, { state: 'waiting' }])
  } finally {
    mayEnd.resolve()
    await Promise.all([sending, ...deletions])
  }
  expect(await stored()).toEqual([{ state: 'sent' }])
  expect(new Set(handedOver).size).toBe(2)
  expect(handedOver).toHaveLength(2)
})

test("a message that couldn't be handed over isn't marked as sent, doesn't block the next one, and is sent later", async ({
  app,
  createWorker,
}) => {
  const { userId, sql } = await agencyOnSlack(app, 'unlucky')
  const handedOver: string[] = []
  const { db, dispatch } = await createWorker({
    async send({ key }) {
      handedOver.push(key)
      if (handedOver.length === 1) throw new TypeError('a mistake of ours')
      return { outcome: 'sent' }
    },
  })
  const message: MessageOf<'alerts'> = { kind: 'alerts', properties: [], monitored: 1 }
  for (let count = 0; count < 2; count += 1) {
    await db.transaction().execute((trx) => write(trx, { userId, propertyId: null, channel: 'slack', message }, app.google.now()))
  }
  const send = () => dispatch.sendDue(new AbortController().signal)
  const stored = () =>
    sql(
      'SELECT state, attempts, detail, sent_at IS NULL AS unsent FROM notifications WHERE user_id = $1 ORDER BY state DESC, attempts DESC',
      [userId],
    )
  const sent = { state: 'sent', detail: null, unsent: false }
  await send()
  expect(await stored()).toEqual([
    { state: 'waiting', attempts: 1, detail: 'Ranklark ran into an error while sending it.', unsent: true },
    { ...sent, attempts: 1 },
  ])
  app.google.advance(60_000)
  await send()
  expect(await stored()).toEqual([
    { ...sent, attempts: 2 },
    { ...sent, attempts: 1 },
  ])
  // The same message as in the first attempt, so that the other side recognizes it.
  expect(handedOver).toHaveLength(3)
  expect(handedOver[2]).toBe(handedOver[0])
})

test.for([
  {
    stage: 'its first message is being written',
    outcome: 'is reported as recovered',
    isLocking: true,
    states: [
      { event: 'opened', state: 'told' },
      { event: 'recovered', state: 'told' },
    ],
  },
  // Nothing is locked meanwhile, so its end is known before anything is written.
  {
    stage: 'its reasons are looked for',
    outcome: 'sends no message',
    isLocking: false,
    states: [{ event: 'opened', state: 'suppressed' }],
  },
])('an alert that recovers while $stage $outcome', async ({ isLocking, states }, { app, createWorker }) => {
  const name = isLocking ? 'watcher' : 'asker'
  const { userId, sql } = await agencyOnSlack(app, name)
  const { facts } = await app.stores()
  const site = `https://${name}.example/`
  const [property] = await sql<{ id: string }>(`INSERT INTO properties (user_id, name, kind) VALUES ($1, $2, 'google') RETURNING id`, [
    userId,
    site,
  ])
  const propertyId = Number(property!.id)
  const [alertId = ''] = await putAlerts(app, site, [{ openedAt: '2026-03-16T09:00:00Z' }])
  const [planner, evaluator] = await Promise.all([createWorker(), createWorker()])
  const log = createLog('silent')
  const { now } = app.google
  const alertsOf = (db: typeof planner.db) => alertsServiceOn({ db, facts, clock: app.google })
  const announceAlerts = announcing(app, slackOnly)
  await evaluator.db.transaction().execute((transaction) => announceAlerts(transaction, { userId, propertyId, opened: [Number(alertId)] }))

  const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const reach = () => {
    begun.resolve()
    return mayEnd.promise
  }
  const plan = () =>
    planAlerts(
      {
        db: planner.db,
        destinations: planner.destinations,
        settingsOf: async () => slackOnly,
        log,
        alerts: {
          async forMessages(ids, db) {
            const found = await alertsOf(planner.db).forMessages(ids, db)
            if (isLocking && db !== planner.db) await reach()
            return found
          },
          async explain() {
            if (!isLocking) await reach()
            return new Map()
          },
        },
      },
      now(),
    )
  const planning = plan()
  await begun.promise
  let hasEnded = false
  const ending = evaluator.db.transaction().execute(async (transaction) => {
    await transaction.updateTable('alerts').set({ state: 'recovered', recoveredAt: now() }).where('id', '=', Number(alertId)).execute()
    await announceAlerts(transaction, { userId, propertyId, recovered: [Number(alertId)] })
    hasEnded = true
  })
  const waits = async () =>
    (await sql(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)).length > 0
  if (isLocking) await until(async () => hasEnded || (await waits()), Boolean)
  else await ending
  mayEnd.resolve()
  await Promise.all([planning, ending])
  // Whether the end is stored in time for this check is up to chance; the next one sends it at the latest.
  await plan()
  expect(await sql('SELECT event, state FROM delivery_news WHERE alert_id = $1 ORDER BY id', [alertId])).toEqual(states)
})

test("what arrives while the rest of a long message is counted isn't lost: the message is rewritten and includes it", async ({
  app,
  createWorker,
}) => {
  const person = await registered(app, 'counter')
  const { sql, facts } = await app.stores()
  const [user] = await sql<{ id: string }>(
    `UPDATE people SET plan = 'agency' FROM users WHERE users.id = user_id AND username = 'counter' RETURNING users.id`,
  )
  const userId = user!.id
  await connectSlack(app, person)
  const site = 'https://counter.example/'
  const [property] = await sql<{ id: string }>(`INSERT INTO properties (user_id, name, kind) VALUES ($1, $2, 'google') RETURNING id`, [
    userId,
    site,
  ])
  const alert = (at: number) => ({ openedAt: '2026-03-16T09:00:00Z', entity: { kind: 'page', name: `${site}${at}` } }) as const
  const opened = await putAlerts(
    app,
    site,
    Array.from({ length: 103 }, (_, at) => alert(at)),
  )
  const { db, destinations } = await createWorker()
  const alerts = alertsServiceOn({ db, facts, clock: app.google })
  const announceAlerts = announcing(app, slackOnly)
  const { now } = app.google
  await db
    .transaction()
    .execute((transaction) => announceAlerts(transaction, { userId, propertyId: Number(property!.id), opened: opened.map(Number) }))
  // Its ID is lower, as when another evaluation commits its announcements later than it began to write it.
  const late = `WITH late AS (DELETE FROM delivery_news WHERE alert_id = $1 RETURNING *) SELECT to_jsonb(late) AS row FROM late`
  const [{ row } = { row: null }] = await sql<{ row: object | null }>(late, [opened[50]])
  const scope = { userId, channel: 'slack', propertyId: null, isDue: sqlOf<boolean>`true` } as const
  expect(await mostSevere(db, scope, 'none')).toMatchObject({ announcements: { length: 100 }, count: 102 })
  let hasArrived = false
  const forMessages: typeof alerts.forMessages = async (ids, trx) => {
    if (trx?.isTransaction && !hasArrived) {
      hasArrived = true
      await sql(`INSERT INTO delivery_news OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(null::delivery_news, $1)`, [
        JSON.stringify(row),
      ])
    }
    return alerts.forMessages(ids, trx)
  }
  const plan = (at: Date) =>
    planAlerts(
      {
        db,
        destinations,
        settingsOf: async () => slackOnly,
        log: createLog('silent'),
        alerts: { forMessages, explain: async () => new Map() },
      },
      at,
    )
  const states = () =>
    sql(`SELECT state, count(*)::integer FROM delivery_news WHERE property_id = $1 GROUP BY 1 ORDER BY 1`, [property!.id])
  expect(await plan(now())).toMatchObject({ written: 0 })
  expect(await states()).toEqual([{ state: 'waiting', count: 103 }])
  expect(await plan(new Date(now().getTime() + 600_000))).toMatchObject({ written: 1 })
  expect(await sql(`SELECT message->'more' AS more FROM notifications WHERE user_id = $1`, [userId])).toEqual([{ more: 3 }])
  expect(await states()).toEqual([
    { state: 'suppressed', count: 3 },
    { state: 'told', count: 100 },
  ])
})

test('an alert found while someone switches to instant alerts is sent, even though it was waiting for their digest', async ({
  app,
  createWorker,
}) => {
  const { person, userId, sql } = await agencyOnSlack(app, 'chooser')
  const site = 'https://chosen.example/'
  const [property] = await sql<{ id: string }>(`INSERT INTO properties (user_id, name, kind) VALUES ($1, $2, 'google') RETURNING id`, [
    userId,
    site,
  ])
  const [alertId = ''] = await putAlerts(app, site, [{ openedAt: '2026-03-16T09:00:00Z', severity: 'critical' }])
  const { db } = await createWorker()
  const announceAlerts = announcing(app, { ...slackOnly, frequency: 'daily' })
  const received = async () => (await app.slack.messages()).filter(({ text }) => text?.includes('chosen.example'))
  await db.transaction().execute(async (transaction) => {
    await announceAlerts(transaction, { userId, propertyId: Number(property!.id), opened: [Number(alertId)] })
    expect((await person.send('PATCH', '/api/delivery-settings', { frequency: 'instant' })).status).toBe(200)
    await noJobsLeft(app, 'delivery-due')
  })
  expect(await received()).toEqual([])
  await runJob(app, 'delivery-due')
  expect(await received()).toHaveLength(1)
})

/** Announces changed alerts to somebody with these settings, as an evaluation does. */
function announcing(app: TestApp, settings: DeliverySettings) {
  const announcements = createAnnouncements({ settingsOf: async () => settings })
  const events = createEventBus()
  events.on('alertsChanged', (changed) => announcements.note(changed, app.google.now()))
  return (transaction: Db, changed: Parameters<typeof announce>[2]) => announce(events, transaction, changed)
}

const slackOnly: DeliverySettings = {
  id: '1',
  emailEnabled: false,
  slackEnabled: true,
  smsEnabled: false,
  webhookEnabled: false,
  criticalAlerts: true,
  warningAlerts: true,
  positiveAlerts: true,
  frequency: 'instant',
  timeZone: 'UTC',
  digestHour: 8,
  digestWeekday: 1,
  digestWhenQuiet: false,
  quietHours: null,
}
