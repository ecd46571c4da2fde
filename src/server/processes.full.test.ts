import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { throughConsent } from '../../test/support/consent.ts'
import { blank } from '../../test/support/database.ts'
import type { Control } from '../../test/support/google-control.ts'
import { sumsAtGoogle, sumsStored } from '../../test/support/grain-sums.ts'
import { backfillFrom, select, synced } from '../../test/support/people.ts'
import { type ReadyProxy, startReadyProxy } from '../../test/support/ready-proxy.ts'
import type { ServerProcess } from '../../test/support/server-process.ts'
import { openSharedServers, type SharedServers } from '../../test/support/shared-servers.ts'
import type { Sql } from '../../test/support/stores.ts'
import { until } from '../../test/support/until.ts'
import { createVisitor, type Visitor } from '../../test/support/visitor.ts'
import { addDays, pacificDay } from '../core/analytics/days.ts'

const site = 'https://many.example/'
const historyDays = 10
const account = 'owner@example.test'
const names = ['web-1', 'web-2', 'worker-1', 'worker-2'] as const
type Name = (typeof names)[number]

let servers: SharedServers
let control: Control
let sql: Sql
let proxy: ReadyProxy
const processes = new Map<Name, ServerProcess>()
/** The same user's browser, at each of the web processes and at the proxy in front of them. */
let owner: { one: Visitor; two: Visitor; proxy: Visitor }

const of = (name: Name): ServerProcess => {
  const found = processes.get(name)
  if (!found) throw new Error(`${name} does not run`)
  return found
}

async function start(name: Name): Promise<void> {
  const role = name.startsWith('web') ? 'web' : 'worker'
  const started = await servers.start(name, { ROLE: role, BASE_URL: proxy.url, DRAIN_SECONDS: role === 'web' ? '3' : '0' })
  processes.set(name, started)
  if (role === 'web') proxy.servers.set(name, started.local)
}

async function ready(name: Name): Promise<[number, unknown]> {
  const answer = await fetch(`${of(name).local}/readyz`)
  return [answer.status, await answer.json()]
}

async function expectDaysAsAtGoogle(days: number): Promise<void> {
  const [row] = await sql<{ id: number; through: string }>(
    `SELECT id, complete_through::text AS through FROM properties JOIN property_syncs ON property_id = id WHERE name = $1`,
    [site],
  )
  const end = row?.through ?? ''
  const span = { start: addDays(pacificDay(new Date()), 1 - days), end, dataState: 'final' as const }
  expect(await sumsStored(servers.clickhouse, { property: Number(row?.id) }, span)).toEqual(await sumsAtGoogle(control, site, span))
}

beforeAll(async () => {
  ;[servers, proxy] = await Promise.all([openSharedServers(blank), startReadyProxy()])
  control = servers.google
  sql = servers.sql
  await control.account(account, { [site]: 'local' })
  // All at once, on empty databases.
  await Promise.all(names.map(start))
  const at = (url: () => string): Visitor => createVisitor(url)
  owner = { one: at(() => of('web-1').local), two: at(() => of('web-2').local), proxy: at(() => proxy.url) }
}, 180_000)

afterAll(async () => {
  await servers.close()
  await proxy.close()
})

test('four processes that start at the same time on empty databases all come up, each in its role', async () => {
  for (const name of names) expect(await ready(name)).toEqual([200, { status: 'ok' }])
  for (const [name, status] of [['web-1', 401] as const, ['worker-1', 404] as const]) {
    expect((await fetch(`${of(name).local}/api/user`)).status).toBe(status)
    expect(await (await fetch(`${of(name).local}/metrics`)).text()).toMatch(/^# TYPE process_cpu_seconds_total counter$/m)
  }
})

test('a session from one works at the other', async () => {
  await throughConsent(owner.one, { account })
  for (const there of [owner.two, owner.proxy]) for (const [name, value] of owner.one.cookies) there.cookies.set(name, value)
  for (const there of [owner.one, owner.two]) expect((await there.get('/api/user')).body).toMatchObject({ email: account })
})

test('a sync requested at one is done by a worker and visible at the other', async () => {
  await backfillFrom(sql, site, addDays(pacificDay(new Date()), 1 - historyDays))
  await select(owner.one, site)
  await synced(owner.two, site, 60_000)
  await expectDaysAsAtGoogle(historyDays)
})

test('rate limits apply across all processes: those of a key and those of a route', async () => {
  await sql(`UPDATE people SET plan = 'pro'`)
  const made = await owner.one.send('POST', '/api/keys', { name: 'both', scope: 'read', days: null })
  const { key } = made.body as { key: string }
  const headers = { authorization: `Bearer ${key}` }
  const askWithKey = (there: Visitor) => there.get('/api/v1/properties', { headers })
  const left: (string | null)[] = []
  for (const there of [owner.one, owner.two, owner.one, owner.two]) left.push((await askWithKey(there)).headers.get('ratelimit-remaining'))
  expect(left).toEqual(['299', '298', '297', '296'])
  await sql(`UPDATE request_counts SET points = 300 WHERE key LIKE 'key:%'`)
  for (const there of [owner.one, owner.two]) {
    const refused = await askWithKey(there)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  }

  const ofRoute = async (there: Visitor) => (await there.get('/api/gsc-properties')).headers.get('x-ratelimit-remaining')
  expect([await ofRoute(owner.one), await ofRoute(owner.two), await ofRoute(owner.one)]).toEqual(['59', '58', '57'])
})

test('/readyz says what is down, at every process, and that it is back', async () => {
  const expectOfAll = (wanted: [number, unknown]) =>
    until(
      () => Promise.all(names.map(ready)),
      (answers) => answers.every((answer) => JSON.stringify(answer) === JSON.stringify(wanted)),
    )
  const away = (what: string): [number, unknown] => [503, { status: 'unavailable', message: `${what} can't be reached right now.` }]
  await servers.front.fail({ kind: 'refuse' })
  await expectOfAll(away('ClickHouse'))
  await servers.front.fail({ kind: 'delay', ms: 60_000 })
  await expectOfAll(away('ClickHouse'))
  await servers.front.fail({ kind: 'none' })
  await expectOfAll([200, { status: 'ok' }])
  // An older backup was restored under running processes.
  await sql(`UPDATE kysely_migration SET name = name || ' (away)'`)
  await expectOfAll(away('PostgreSQL'))
  await sql(`UPDATE kysely_migration SET name = replace(name, ' (away)', '')`)
  await expectOfAll([200, { status: 'ok' }])
})

test('all four are replaced, one by one: no request fails, jobs are handed back, no day is lost or duplicated', async () => {
  await sql(`UPDATE search_type_syncs SET backfill_to = $1`, [addDays(pacificDay(new Date()), 1 - 3 * historyDays)])
  await control.delay(300, 'query')
  // The proxy notices only at its next check.
  await until(
    () => owner.proxy.get('/readyz'),
    ({ status }) => status === 200,
  )
  const failed: string[] = []
  let answered = 0
  const over = new AbortController()
  const keepAsking = async (): Promise<void> => {
    while (!over.signal.aborted) {
      for (const address of ['/api/user', '/api/sync', '/api/metrics']) {
        const answer = await owner.proxy.get(address).catch((error: unknown) => ({ status: 0, body: String(error) }))
        if (answer.status === 200) answered += 1
        else failed.push(`${address}: ${answer.status} ${JSON.stringify(answer.body)}`)
      }
      await sleep(50)
    }
  }
  const asking = [keepAsking(), keepAsking()]
  await control.forgetRequests()
  expect((await owner.proxy.send('POST', '/api/sync', { property: site })).status).toBe(202)
  await until(
    () => control.requests(),
    (requests) => requests.some(({ kind }) => kind === 'query'),
    60_000,
  )
  for (const name of ['worker-1', 'worker-2', 'web-1', 'web-2'] as const) {
    expect(await of(name).stop()).toBe(0)
    await start(name)
    const before = answered
    await until(
      async () => answered - before,
      (more) => more > 10,
    )
  }
  over.abort()
  await Promise.all(asking)
  expect(failed).toEqual([])

  await control.delay(0)
  await synced(owner.one, site, 60_000)
  await expectDaysAsAtGoogle(3 * historyDays)
  expect(await sql(`SELECT name, output FROM jobs.job WHERE state = 'failed'`)).toEqual([])
}, 240_000)

test('checks that run every minute run once, however many workers there are', async () => {
  const [due] = await until(
    () =>
      sql<{ runs: number; minutes: number }>(
        `SELECT count(*)::int AS runs, (extract(epoch FROM now() - min(created_on)) / 60)::int + 2 AS minutes FROM jobs.job WHERE name = 'report-due'`,
      ),
    ([row]) => (row?.runs ?? 0) > 0,
    90_000,
  )
  expect(due?.runs).toBeLessThanOrEqual(due?.minutes ?? 0)
}, 120_000)

test('SIGTERM during a request: it is answered completely; a second one ends the process immediately', async () => {
  await control.delay(6_000, 'sites')
  const slow = owner.one.get('/api/gsc-properties')
  const cut = owner.two.get('/api/gsc-properties').catch(() => 'cut')
  await sleep(1_000)
  const ending = [of('web-1').stop(), of('web-2').stop()]
  for (const name of ['web-1', 'web-2'] as const)
    await until(
      () => ready(name).catch(() => [0]),
      ([status]) => status !== 200,
    )
  expect(await of('web-2').stop()).toBe(1)
  expect(await cut).toBe('cut')
  const answer = await slow
  expect(answer.status).toBe(200)
  expect(JSON.stringify(answer.body)).toContain(site)
  expect(await Promise.all(ending)).toEqual([0, 1])
})
