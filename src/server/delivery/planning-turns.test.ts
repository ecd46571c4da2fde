import type { ClickHouseClient } from '@clickhouse/client'
import { expect } from 'vitest'
import { databaseTest, type TestDatabase } from '../../../test/support/database.ts'
import type { DeliverySettings } from '../../contract/delivery/delivery.ts'
import type { MessageAlert } from '../alerts/service.ts'
import { createLog } from '../platform/log.ts'
import { inLine } from '../platform/active-time.ts'
import { readFairly } from '../platform/fair-reads.ts'
import { forTenant, tenantNow } from '../platform/tenant.ts'
import { type DigestDeps, planDigests } from './digests/plan-digests.ts'
import { newRound, planAlerts, type PlanDeps } from './plan-alerts.ts'

// One account has announcements of hundreds of alerts for its webhook, as after a large evaluation or the end of many snoozes.

const test = databaseTest()
const now = new Date('2026-03-18T09:00:00Z')
const settings: DeliverySettings = {
  id: '1',
  emailEnabled: false,
  slackEnabled: false,
  smsEnabled: false,
  webhookEnabled: true,
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

async function announcementsOf({ pool, property }: TestDatabase, name: string, count: number): Promise<string> {
  const propertyId = await property(name)
  const { rows } = await pool.query<{ user_id: string }>(
    `WITH added AS (
       INSERT INTO alerts (property_id, kind, type, comparison, entity_kind, entity_name, severity, state, opened_at, judged_at, judged_through)
       SELECT $1, 'change', 'clicks', 'previous_7_days', 'page', 'https://x.example/' || at, 'warning', 'firing', $2, $2, '2026-03-15'
       FROM generate_series(1, $3) AS at RETURNING id)
     INSERT INTO delivery_news (user_id, property_id, alert_id, channel, event, at, state, not_before)
     SELECT properties.user_id, properties.id, added.id, 'webhook', 'woken', $2, 'waiting', $2 FROM added, properties WHERE properties.id = $1
     RETURNING user_id`,
    [propertyId, now, count],
  )
  return rows[0]?.user_id ?? ''
}

const alertOf = (alertId: string): MessageAlert => ({
  alertId,
  propertyId: 1,
  property: 'https://x.example/',
  severity: 'warning',
  title: `Alert ${alertId}`,
  state: 'firing',
  type: 'clicks',
  sentence: [],
  entity: { kind: 'page', name: `https://x.example/${alertId}` },
  currentValue: 1,
  previousValue: 2,
  change: -50,
  current: null,
  previous: null,
  action: null,
  openedAt: now.toISOString(),
  contributors: [],
  series: [],
})

function depsOn({ db, pool }: TestDatabase, explain: PlanDeps['alerts']['explain']): PlanDeps {
  return {
    db,
    log: createLog('silent'),
    settingsOf: async () => settings,
    destinations: {
      of: async () => ({ kind: 'open', place: { destination: 'x', shown: 'x', extra: null, sealed: null } }),
      close: async () => {},
      reached: async () => {},
    },
    alerts: {
      async forMessages(ids) {
        const { rows } = await pool.query<{ id: string; property_id: string }>('SELECT id, property_id FROM alerts WHERE id = ANY($1)', [
          ids,
        ])
        return rows.map(({ id, property_id }) => ({ ...alertOf(String(id)), propertyId: Number(property_id) }))
      },
      explain,
    },
    limits: { explainMs: 1_000, explainAllMs: 60_000, sliceMs: Infinity },
  }
}

const messages = async ({ pool }: TestDatabase) => {
  const { rows } = await pool.query<{ user_id: string; items: number }>(
    `SELECT user_id, jsonb_array_length(message->'properties'->0->'items') AS items FROM notifications ORDER BY id`,
  )
  return rows
}

test(
  'everybody gets a message before anybody gets a second one, and nothing is lost or repeated',
  { tags: ['full'] },
  async ({ database }) => {
    const busy = await announcementsOf(database, 'a-busy', 230)
    const calm = await announcementsOf(database, 'b-calm', 1)
    const asked: string[] = []
    let endless = 0
    const deps = depsOn(database, async (ids) => {
      asked.push(tenantNow())
      // The busy account's figures take forever, for instance because it asks a lot itself.
      if (tenantNow() === busy) {
        endless += 1
        await new Promise(() => {})
      }
      return new Map(ids.map((id) => [id, { why: ['Because.'], coincidences: [], contributors: [] }]))
    })
    const round = newRound()

    expect(await planAlerts(deps, now, round)).toEqual({ written: 2, more: true })
    expect(await messages(database)).toEqual([
      { user_id: busy, items: 100 },
      { user_id: calm, items: 1 },
    ])
    // What comes meanwhile for others is next, not last.
    const late = await announcementsOf(database, 'c-late', 1)
    expect(await planAlerts(deps, now, round)).toEqual({ written: 2, more: true })
    expect((await messages(database)).slice(2)).toEqual([
      { user_id: busy, items: 100 },
      { user_id: late, items: 1 },
    ])
    expect(await planAlerts(deps, now, round)).toEqual({ written: 1, more: true })
    expect((await messages(database)).slice(4)).toEqual([{ user_id: busy, items: 30 }])
    expect(await planAlerts(deps, now, round)).toEqual({ written: 0, more: false })

    const { rows } = await database.pool.query(
      'SELECT state, count(*)::integer, count(DISTINCT alert_id)::integer AS alerts FROM delivery_news GROUP BY 1',
    )
    expect(rows).toEqual([{ state: 'told', count: 232, alerts: 232 }])
    // Each is explained at its account's own cost. After the first message that took too long, the others go out without reasons.
    expect(new Set(asked)).toEqual(new Set([busy, calm, late]))
    expect(endless).toBe(1)
    const { rows: reasons } = await database.pool.query<{ user_id: string }>(
      `SELECT DISTINCT user_id FROM notifications WHERE message::text LIKE '%Because.%' ORDER BY user_id`,
    )
    expect(reasons.map(({ user_id }) => user_id)).toEqual([calm, late].toSorted())
  },
)

test('planning that takes a long time pauses for messages to be sent, and goes on with the next person', async ({ database }) => {
  await database.pool.query('DELETE FROM notifications; DELETE FROM delivery_news')
  const first = await announcementsOf(database, 'd-first', 150)
  const second = await announcementsOf(database, 'e-second', 1)
  const deps = { ...depsOn(database, async () => new Map()), limits: { sliceMs: 0 } }
  const round = newRound()
  while ((await planAlerts(deps, now, round)).more);
  expect((await messages(database)).map(({ user_id }) => user_id)).toEqual([first, second, first])
})

test("a digest of thousands of properties gets all of their figures in one query, on its reader's account, before any row is locked", async ({
  database,
}) => {
  const { pool, property } = database
  await property('https://many.example/')
  const userId = 'user-of-https://many.example/'
  await pool.query(
    `INSERT INTO properties (user_id, name, kind) SELECT $1, 'https://' || at || '.example/', 'google' FROM generate_series(1, 2499) AS at`,
    [userId],
  )
  await pool.query(`UPDATE properties SET monitored = true WHERE user_id = $1`, [userId])
  await pool.query(`INSERT INTO property_syncs (property_id) SELECT id FROM properties WHERE user_id = $1 ON CONFLICT DO NOTHING`, [userId])
  await pool.query(`INSERT INTO digest_schedules (user_id, next_at) VALUES ($1, $2)`, [userId, now])
  const asked: { tenant: string; properties: number; free: number }[] = []
  const deps = depsOn(database, async () => new Map())
  await planDigests(
    {
      ...deps,
      settingsOf: async () => ({ ...settings, frequency: 'daily' }),
      alerts: { ...deps.alerts, openCounts: async () => new Map() },
      analytics: {
        async allMetrics(properties) {
          const { rows } = await pool.query('SELECT FROM digest_schedules WHERE user_id = $1 FOR UPDATE SKIP LOCKED', [userId])
          if (properties.length > 0) asked.push({ tenant: tenantNow(), properties: properties.length, free: rows.length })
          return new Map()
        },
      },
    },
    now,
  )
  expect(asked).toEqual([{ tenant: userId, properties: 2_500, free: 1 }])
})

test('digests whose figures take too long are retried less and less often, after the others, and only until one fails again', async ({
  database,
}) => {
  const { pool, property } = database
  const minute = 60_000
  const due = async (name: string): Promise<string> => {
    await property(`https://${name}.example/`)
    const userId = `user-of-https://${name}.example/`
    await pool.query('UPDATE properties SET monitored = true WHERE user_id = $1', [userId])
    await pool.query('INSERT INTO digest_schedules (user_id, next_at) VALUES ($1, $2)', [userId, now])
    return userId
  }
  await pool.query('DELETE FROM digest_schedules; UPDATE properties SET monitored = false')
  const busy = [await due('busy-digest'), await due('busier-digest')]
  const asked: string[] = []
  const deps = depsOn(database, async () => new Map())
  const look = (minutes: number) =>
    planDigests(
      {
        ...deps,
        settingsOf: async () => ({ ...settings, frequency: 'daily' }),
        alerts: { ...deps.alerts, openCounts: async () => new Map() },
        analytics: {
          async allMetrics() {
            asked.push(tenantNow())
            if (busy.includes(tenantNow())) throw new Error('Too late')
            return new Map()
          },
        },
      },
      new Date(now.getTime() + minutes * minute),
    )
  const nextOf = async (userId: string): Promise<number> => {
    const { rows } = await pool.query<{ at: Date }>('SELECT next_at AS at FROM digest_schedules WHERE user_id = $1', [userId])
    return ((rows[0]?.at.getTime() ?? 0) - now.getTime()) / minute
  }

  await look(0)
  expect(asked.toSorted()).toEqual(busy.toSorted())
  expect([await nextOf(busy[0] ?? ''), await nextOf(busy[1] ?? '')]).toEqual([10, 10])

  // Somebody else's comes first. Of those that failed, one is tried again.
  const calm = await due('calm-digest')
  asked.length = 0
  await look(10)
  expect(asked).toEqual([calm, expect.any(String)])
  expect(await nextOf(asked[1] ?? '')).toBe(20)

  const first = asked[1] ?? ''
  await pool.query('DELETE FROM digest_schedules WHERE user_id <> $1', [first])
  const pauses: number[] = []
  for (let at = 20; pauses.length < 7; at += pauses.at(-1) ?? 0) {
    await look(at)
    pauses.push((await nextOf(first)) - at)
  }
  expect(pauses).toEqual([20, 40, 80, 160, 320, 360, 360])
})

/** Due digests of people who want one daily. */
async function dueDigests({ pool, property }: TestDatabase, names: readonly string[]): Promise<string[]> {
  await pool.query('DELETE FROM digest_schedules; UPDATE properties SET monitored = false')
  const people: string[] = []
  for (const name of names) {
    await property(`https://${name}.example/`)
    const userId = `user-of-https://${name}.example/`
    await pool.query('UPDATE properties SET monitored = true WHERE user_id = $1', [userId])
    await pool.query('INSERT INTO digest_schedules (user_id, next_at) VALUES ($1, $2)', [userId, new Date(now.getTime() - people.length)])
    people.unshift(userId)
  }
  return people
}

const digestDeps = (database: TestDatabase, allMetrics: DigestDeps['analytics']['allMetrics']): DigestDeps => {
  const deps = depsOn(database, async () => new Map())
  return {
    ...deps,
    settingsOf: async () => ({ ...settings, frequency: 'daily' }),
    alerts: { ...deps.alerts, openCounts: async () => new Map() },
    analytics: { allMetrics },
  }
}

const scheduleOf = async ({ pool }: TestDatabase, userId: string) => {
  const { rows } = await pool.query<{ next_at: Date; owed_since: Date | null }>(
    'SELECT next_at, owed_since FROM digest_schedules WHERE user_id = $1',
    [userId],
  )
  return rows[0]
}

test("a digest whose figures wait too long behind others' questions stays due without a penalty, after everybody else's", async ({
  database,
}) => {
  const [waiting = '', calm = ''] = await dueDigests(database, ['calm-beside', 'waiting-digest'])
  const before = await scheduleOf(database, waiting)
  let isBusy = true
  const asked: string[] = []
  const deps = digestDeps(database, async () => {
    asked.push(tenantNow())
    if (tenantNow() === waiting && isBusy) await inLine(() => new Promise(() => {}))
    return new Map()
  })
  const waited = new Set<string>()
  await planDigests({ ...deps, limits: { ...deps.limits, figuresWaitMs: 30 } }, now, waited)
  expect(asked).toEqual([waiting, calm])
  expect(await scheduleOf(database, waiting)).toEqual(before)
  isBusy = false
  await planDigests(deps, now, waited)
  expect(asked).toEqual([waiting, calm, waiting])
  expect((await scheduleOf(database, waiting))?.next_at.getTime()).toBeGreaterThan(now.getTime())
})

/** Asks in the engine's line, which this person has made long. */
function behindOwnLine(userId: string): () => Promise<void> {
  const query = ({ query: asked }: { query: string }) => (asked === 'endless' ? new Promise(() => {}) : Promise.resolve())
  const client = readFairly({ query, exec: query } as unknown as ClickHouseClient, 2)
  for (let at = 0; at < 40; at += 1) void forTenant(userId, () => client.query({ query: 'endless' }))
  return async () => void (await client.query({ query: 'short' }))
}

test("a digest, and the reasons in a message, don't wait in their reader's own line while everybody's messages wait", async ({
  database,
}) => {
  await database.pool.query('DELETE FROM notifications; DELETE FROM delivery_news')
  const [person = ''] = await dueDigests(database, ['long-line'])
  const ask = behindOwnLine(person)
  const asked: string[] = []
  const deps = digestDeps(database, async () => {
    await ask()
    asked.push('figures')
    return new Map()
  })
  await planDigests(deps, now)

  const { pool } = database
  await pool.query(
    `WITH added AS (
       INSERT INTO alerts (property_id, kind, type, comparison, entity_kind, entity_name, severity, state, opened_at, judged_at, judged_through)
       SELECT id, 'change', 'clicks', 'previous_7_days', 'page', 'https://x.example/', 'warning', 'firing', $2, $2, '2026-03-15'
       FROM properties WHERE user_id = $1 RETURNING id, property_id)
     INSERT INTO delivery_news (user_id, property_id, alert_id, channel, event, at, state, not_before)
     SELECT $1, property_id, id, 'webhook', 'woken', $2, 'waiting', $2 FROM added`,
    [person, now],
  )
  const explain: PlanDeps['alerts']['explain'] = async () => {
    await ask()
    asked.push('reasons')
    return new Map()
  }
  expect((await planAlerts(depsOn(database, explain), now, newRound())).written).toBe(1)
  expect(asked).toEqual(['figures', 'reasons'])
})

test('digests pause for messages to be sent, and go on with the next person', async ({ database }) => {
  const people = await dueDigests(database, ['third-digest', 'second-digest', 'first-digest'])
  const asked: string[] = []
  const deps = digestDeps(database, async () => {
    asked.push(tenantNow())
    throw new Error('Too late')
  })
  const slice = () => planDigests({ ...deps, limits: { sliceMs: 0 } }, now)
  for (const [at, person] of people.entries()) {
    expect(await slice()).toEqual({ written: 0, more: true })
    expect(asked[at]).toBe(person)
  }
  expect(await slice()).toEqual({ written: 0, more: false })
  expect(asked).toHaveLength(3)
})

test('a digest that another process wrote while its figures failed here is not sent again', async ({ database }) => {
  const [userId = ''] = await dueDigests(database, ['written-elsewhere'])
  const tomorrow = new Date(now.getTime() + 24 * 3_600_000)
  const deps = digestDeps(database, async () => {
    await database.pool.query('UPDATE digest_schedules SET next_at = $2, owed_since = NULL WHERE user_id = $1', [userId, tomorrow])
    throw new Error('Too late')
  })
  await planDigests(deps, now)
  expect(await scheduleOf(database, userId)).toEqual({ next_at: tomorrow, owed_since: null })
})

test('a digest has the main causes of its most severe alerts, and goes out without them if they take too long', async ({ database }) => {
  const [slow = '', quick = ''] = await dueDigests(database, ['quick-causes', 'slow-causes'])
  const isSynced = `INSERT INTO property_syncs (property_id, state, facts_version) SELECT id, 'ok', 1 FROM properties WHERE user_id = ANY($1)`
  await database.pool.query(`${isSynced} ON CONFLICT DO NOTHING`, [[slow, quick]])
  await database.pool.query(
    `WITH added AS (
       INSERT INTO alerts (property_id, kind, type, comparison, entity_kind, entity_name, severity, state, opened_at, judged_at, judged_through)
       SELECT id, 'change', 'clicks', 'previous_7_days', 'page', 'https://x.example/' || at, 'warning', 'firing', $2, $2, '2026-03-15'
       FROM properties, generate_series(1, 5) AS at WHERE user_id = ANY($1) RETURNING id, property_id)
     INSERT INTO delivery_news (user_id, property_id, alert_id, channel, event, at, state)
     SELECT user_id, property_id, added.id, 'email', 'opened', $2, 'waiting' FROM added JOIN properties ON properties.id = property_id`,
    [[slow, quick], now],
  )
  const asked: string[] = []
  const deps = digestDeps(database, async () => new Map())
  await planDigests(
    {
      ...deps,
      settingsOf: async () => ({ ...settings, emailEnabled: true, frequency: 'daily' }),
      limits: { ...deps.limits, explainMs: 100 },
      alerts: {
        ...deps.alerts,
        async explain(ids) {
          asked.push(tenantNow())
          if (tenantNow() === slow) await new Promise(() => {})
          return new Map(ids.map((id) => [id, { why: ['Because.'], coincidences: [], contributors: [] }]))
        },
      },
    },
    now,
  )
  const { rows } = await database.pool.query<{ user_id: string; causes: number }>(
    `SELECT user_id, (length(message::text) - length(replace(message::text, 'Because.', ''))) / 8 AS causes
      FROM notifications WHERE user_id = ANY($1) AND kind = 'digest' ORDER BY user_id = $2`,
    [[slow, quick], quick],
  )
  expect(rows).toEqual([
    { user_id: slow, causes: 0 },
    { user_id: quick, causes: 3 },
  ])
  expect(asked).toEqual([slow, quick, quick, quick])
})

test("an account whose announcements can't be put into a message, while its rows are locked as well, lets everybody after it get theirs", async ({
  database,
}) => {
  const [first, second] = [await announcementsOf(database, 'a-broken', 2), await announcementsOf(database, 'b-calm', 1)].toSorted()
  let isBroken = true
  const deps: PlanDeps = {
    ...depsOn(database, async () => new Map()),
    settingsOf: async (userId) => (isBroken && userId === first ? Promise.reject(new Error('broken')) : settings),
  }
  const resting = new Map<string, Date>()
  const written = async () => (await messages(database)).map(({ user_id }) => user_id).filter((id) => id === first || id === second)
  const locking = await database.pool.connect()
  try {
    await locking.query('BEGIN')
    await locking.query('SELECT FROM delivery_news WHERE user_id = $1 FOR UPDATE', [first])
    expect(await planAlerts(deps, now, newRound(resting))).toMatchObject({ written: 1 })
    expect(await written()).toEqual([second])
  } finally {
    await locking.query('ROLLBACK')
    locking.release()
  }

  isBroken = false
  expect(await planAlerts(deps, now, newRound(resting))).toEqual({ written: 0, more: false })
  const later = new Date(now.getTime() + 10 * 60_000)
  expect(await planAlerts(deps, later, newRound(resting))).toMatchObject({ written: 1 })
  expect(await written()).toEqual([second, first])
})

test('a moment without PostgreSQL costs nobody their turn: the next check writes their messages', async ({ database }) => {
  const owners = await Promise.all(['c-one', 'd-two', 'e-three'].map((name) => announcementsOf(database, name, 1)))
  let isAway = true
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
  const deps: PlanDeps = {
    ...depsOn(database, async () => new Map()),
    settingsOf: async () => (isAway ? Promise.reject(refused) : settings),
  }
  const resting = new Map<string, Date>()
  await expect(planAlerts(deps, now, newRound(resting))).rejects.toThrow(refused)
  isAway = false
  expect(await planAlerts(deps, new Date(now.getTime() + 1_000), newRound(resting))).toMatchObject({ written: 3 })
  const { rows } = await database.pool.query('SELECT 1 FROM notifications WHERE user_id = ANY($1)', [owners])
  expect(rows).toHaveLength(3)
})
