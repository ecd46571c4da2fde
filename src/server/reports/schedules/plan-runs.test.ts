import type { ClickHouseClient } from '@clickhouse/client'
import { expect, onTestFinished, vi } from 'vitest'
import { databaseTest, type TestDatabase } from '../../../../test/support/database.ts'
import type { DeliverySettings } from '../../../contract/delivery/delivery.ts'
import type { Person } from '../../accounts/service.ts'
import { createLog } from '../../platform/log.ts'
import { inLine } from '../../platform/active-time.ts'
import { readFairly } from '../../platform/fair-reads.ts'
import { forTenant, tenantNow } from '../../platform/tenant.ts'
import { planRuns, type PlanRunsDeps } from './plan-runs.ts'

// One account has many due schedules, and questions of its own that take forever.

const test = databaseTest()
const now = new Date('2026-03-18T09:00:00Z')

/** Due weekly schedules of an account's property, or of its client with this many properties. */
async function scheduled({ pool, property }: TestDatabase, name: string, count: number, properties = 1): Promise<string> {
  const userId = `user-of-https://${name}.example/`
  await property(`https://${name}.example/`)
  await pool.query(
    `INSERT INTO properties (user_id, name, kind) SELECT $1, 'https://' || $2 || at || '.example/', 'google' FROM generate_series(2, $3) AS at`,
    [userId, name, properties],
  )
  await pool.query('UPDATE properties SET monitored = true WHERE user_id = $1', [userId])
  await pool.query('INSERT INTO property_syncs (property_id) SELECT id FROM properties WHERE user_id = $1 ON CONFLICT DO NOTHING', [userId])
  await pool.query(`INSERT INTO report_clients (user_id, name, created_at) VALUES ($1, 'Client', $2)`, [userId, now])
  await pool.query(
    `INSERT INTO report_client_properties (client_id, property_id)
     SELECT report_clients.id, properties.id FROM report_clients JOIN properties USING (user_id) WHERE user_id = $1`,
    [userId],
  )
  await pool.query(
    `INSERT INTO report_schedules (user_id, client_id, kind, paper, recipients, enabled, first_start, look_at, created_at)
     SELECT user_id, id, 'week', 'a4', '{a@b.example}', true, '2026-03-02', $2, $2 FROM report_clients, generate_series(1, $3) WHERE user_id = $1`,
    [userId, now, count],
  )
  return userId
}

type Among = PlanRunsDeps['periodic']['completeAmong']

/** Looks once; `runs` are the owners whose reports were created. */
async function look({ db }: TestDatabase, completeAmong: Among, deps: Partial<PlanRunsDeps> = {}): Promise<string[]> {
  const runs: string[] = []
  await planRuns({
    db,
    accounts: { person: async (id) => ({ id, plan: 'agency' }) as Person },
    delivery: { settingsOf: async () => ({ timeZone: 'UTC', digestHour: 8 }) as DeliverySettings },
    periodic: { completeAmong },
    recipients: { reached: async () => () => true },
    saved: { segment: async () => Promise.reject(new Error('No segment')) },
    enqueue: async ({ userId }) => void runs.push(userId),
    hasMail: true,
    clock: { now: () => now },
    log: createLog('silent', true),
    ...deps,
  })
  return runs
}

/** Minutes until an account's schedules are next checked. */
async function minutesOf({ pool }: TestDatabase, userId: string): Promise<number[]> {
  const { rows } = await pool.query<{ minutes: number }>(
    'SELECT extract(epoch FROM look_at - $2) / 60 AS minutes FROM report_schedules WHERE user_id = $1 ORDER BY id',
    [userId, now],
  )
  return rows.map(({ minutes }) => Number(minutes))
}

const alone = ({ pool }: TestDatabase) => pool.query('DELETE FROM report_schedules')
const all: Among = async (properties) => new Set(properties.map(({ id }) => id))

test("whether a report is complete is asked on its owner's account, before any row is locked, and an owner whose answers take too long holds up nobody", async ({
  database,
}) => {
  const { pool } = database
  const [busy, calm] = [await scheduled(database, 'busy', 3), await scheduled(database, 'calm', 1)]
  const asked: { tenant: string; free: number }[] = []
  const runs = await look(database, async (properties, period) => {
    const { rows } = await pool.query('SELECT FROM report_schedules WHERE user_id = $1 FOR UPDATE SKIP LOCKED', [tenantNow()])
    asked.push({ tenant: tenantNow(), free: rows.length })
    if (tenantNow() === busy) throw new Error('Too late')
    return all(properties, period)
  })
  // The first of the busy account's three, and the other account's.
  expect(asked).toEqual([
    { tenant: busy, free: 3 },
    { tenant: calm, free: 1 },
  ])
  expect(runs).toEqual([calm])
  expect(await minutesOf(database, busy)).toEqual([10, 10, 10])
})

test('an owner whose answers come just in time has fifteen seconds for all schedules together', async ({ database }) => {
  await alone(database)
  const [slow, calm] = [await scheduled(database, 'slow', 4), await scheduled(database, 'after-slow', 1)]
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const asked: string[] = []
  await look(database, async (properties, period) => {
    asked.push(tenantNow())
    if (tenantNow() === slow) vi.advanceTimersByTime(8_000)
    return all(properties, period)
  })
  expect(asked).toEqual([slow, slow, calm])
  expect(await minutesOf(database, slow)).toEqual([expect.any(Number), expect.any(Number), 10, 10])
})

test("a schedule's question doesn't wait in its owner's own line while everybody's schedules wait", async ({ database }) => {
  await alone(database)
  const owner = await scheduled(database, 'long-line', 1)
  const query = ({ query: asked }: { query: string }) => (asked === 'endless' ? new Promise(() => {}) : Promise.resolve())
  const client = readFairly({ query, exec: query } as unknown as ClickHouseClient, 2)
  for (let at = 0; at < 40; at += 1) void forTenant(owner, () => client.query({ query: 'endless' }))
  const runs = await look(database, async (properties, period) => {
    await client.query({ query: 'short' })
    return all(properties, period)
  })
  expect(runs).toEqual([owner])
})

test('a schedule that waits too long behind the questions of others is checked again in a minute, which is not an error', async ({
  database,
}) => {
  await alone(database)
  const [waiting, calm] = [await scheduled(database, 'waiting', 2), await scheduled(database, 'not-waiting', 1)]
  let isBusy = true
  const asked: string[] = []
  const among: Among = async (properties, period) => {
    asked.push(tenantNow())
    if (tenantNow() === waiting && isBusy) await inLine(() => new Promise(() => {}))
    return all(properties, period)
  }
  expect(await look(database, among, { limits: { waitMs: 30 } })).toEqual([calm])
  expect(asked).toEqual([waiting, calm])
  expect(await minutesOf(database, waiting)).toEqual([1, 1])
  isBusy = false
  const later = new Date(now.getTime() + 60_000)
  expect(await look(database, among, { clock: { now: () => later } })).toEqual([waiting, waiting])
})

test("a client's properties are asked about in one question, and about none if the report is overdue or can't be sent", async ({
  database,
}) => {
  await alone(database)
  await scheduled(database, 'large', 1, 2_500)
  const asked: number[] = []
  const among: Among = async (properties) => {
    asked.push(properties.length)
    return new Set()
  }
  // A plan without reports, and nobody who agreed to get them.
  await look(database, among, { accounts: { person: async (id) => ({ id, plan: 'free' }) as Person } })
  await database.pool.query('UPDATE report_schedules SET look_at = $1', [now])
  await look(database, among, { recipients: { reached: async () => () => false } })
  expect(asked).toEqual([])
  await database.pool.query('UPDATE report_schedules SET look_at = $1', [now])
  expect(await look(database, among)).toEqual([])
  expect(asked).toEqual([2_500])
  const overdue = new Date('2026-03-21T09:00:00Z')
  const unanswered: Among = () => Promise.reject(new Error('Too late'))
  expect(await look(database, unanswered, { clock: { now: () => overdue } })).toHaveLength(1)
})

test('a check ends when its time is up, and the next one continues', async ({ database }) => {
  await alone(database)
  const owners = [await scheduled(database, 'first-look', 1), await scheduled(database, 'second-look', 1)]
  const runs = [await look(database, all, { limits: { sliceMs: 0 } }), await look(database, all, { limits: { sliceMs: 0 } })]
  expect(runs).toEqual(owners.map((owner) => [owner]))
})
