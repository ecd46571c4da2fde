import { afterAll, beforeAll, expect, test } from 'vitest'
import { analysedSite } from '../../test/support/analysed-site.ts'
import { startTestApp, type TestApp } from '../../test/support/app.ts'
import type { ClickHouseFront } from '../../test/support/clickhouse-front.ts'
import { type ClusterFacts, clusterName, openClusterFacts, startCluster } from '../../test/support/facts-cluster.ts'
import { sumsAtGoogle, sumsStored } from '../../test/support/grain-sums.ts'
import { propertyId } from '../../test/support/people.ts'
import { until } from '../../test/support/until.ts'
import type { Visitor } from '../../test/support/visitor.ts'
import { apiError } from '../contract/common.ts'
import { alertConditions } from '../contract/alert-conditions.ts'
import { user } from '../contract/user.ts'
import { storeIsAway } from './errors.ts'

const today = '2026-03-18'
const days = { start: '2026-03-09', end: '2026-03-17' }
/** How long the app waits for an answer of ClickHouse here. */
const patienceMs = 4_000

let front: ClickHouseFront
let cluster: TestApp
let alone: TestApp
/** A look at what is stored. */
let stored: ClusterFacts
let owner: { person: Visitor; site: string }
let ownerAlone: { person: Visitor; site: string }

beforeAll(async () => {
  front = await startCluster()
  const env = { CLICKHOUSE_URL: `${front.url}/?request_timeout=${patienceMs}`, CLICKHOUSE_CLUSTER: clusterName }
  ;[cluster, alone] = await Promise.all([startTestApp({ today, demo: false, env, logLevel: 'warn' }), startTestApp({ today, demo: false })])
  stored = await openClusterFacts(front)
})
afterAll(async () => {
  await front?.fail({ kind: 'none' })
  await Promise.all([stored?.close(), cluster?.close(), alone?.close()])
  await front?.close()
})

const readiness = () => cluster.visitor().get('/readyz')
/** Waits until the app has said this to ClickHouse. */
const said = (statement: RegExp) =>
  until(
    () => front.seen(),
    (statements) => statements.some(({ text }) => statement.test(text)),
    60_000,
  )

test('a sync that ClickHouse leaves in the middle goes on by itself, and stores every day once', { timeout: 240_000 }, async () => {
  await front.fail({ kind: 'cut', statement: 'INSERT INTO facts_query_page', when: 'before' })
  const syncing = analysedSite(cluster, 'lamps', 180_000)
  const syncingAlone = analysedSite(alone, 'lamps', 180_000)
  await said(/^INSERT INTO facts_query_page/)
  // The pointers of some days are stored, and nobody is told so.
  await front.fail({ kind: 'cut', statement: 'INSERT INTO facts_current', when: 'in mid-answer' })
  await said(/^INSERT INTO facts_current/)
  await front.fail({ kind: 'refuse' })
  expect(await readiness()).toMatchObject({ status: 503, body: { status: 'unavailable', message: expect.stringContaining('ClickHouse') } })
  await front.fail({ kind: 'none' })
  await until(readiness, ({ status }) => status === 200)
  await cluster.lookForDue()

  ;[owner, ownerAlone] = await Promise.all([syncing, syncingAlone])
  const property = await propertyId(cluster, owner.site)
  const [here, atGoogle] = [await sumsStored(stored.client, { property }, days), await sumsAtGoogle(cluster.google, owner.site, days)]
  expect(here).toEqual(atGoogle)
  expect(Object.keys(here.query_page)).toHaveLength(8)
})

const range = 'days=7&compare=previous'
const reports = (site: string): string[] => {
  const of = `property=${encodeURIComponent(site)}`
  const page = `page=${encodeURIComponent(`${site}average`)}`
  return [
    `/api/metrics?${of}`,
    `/api/today?${of}`,
    `/api/analytics/summary?${of}&${range}`,
    `/api/analytics/segments?${of}&${range}&dimension=device`,
    `/api/analytics/segments?${of}&${range}&dimension=country`,
    `/api/analytics/days?${of}&${range}&${page}`,
    `/api/search?${of}&q=lamp`,
    `/api/brand/split?${of}&${range}`,
    `/api/keywords?${of}&${range}`,
    `/api/keywords/export.csv?${of}&${range}`,
    `/api/keywords/opportunities?${of}&${range}`,
    `/api/keywords/pages?${of}&${range}&query=${encodeURIComponent('floor lamp')}`,
    `/api/keywords/competing?${of}&${range}`,
    `/api/pages?${of}&${range}`,
    `/api/pages/keywords?${of}&${range}&${page}`,
    `/api/pages/decay?${of}`,
  ]
}

test('every report says the same as with the engine in the process', { timeout: 120_000 }, async () => {
  const telling: string[] = []
  for (const path of reports(owner.site)) {
    const [there, here] = [await owner.person.get(path), await ownerAlone.person.get(path)]
    expect([path, here.status, there.status]).toEqual([path, 200, 200])
    expect(there.body).toEqual(here.body)
    if (JSON.stringify(here.body).length > 20) telling.push(path)
  }
  // Nothing competes here, and hours are not in everybody's plan.
  expect(telling.length).toBeGreaterThanOrEqual(reports(owner.site).length - 3)
})

test(
  'who asks while ClickHouse is away or slow is told what to do, soon, and gets an answer as soon as it is back',
  { timeout: 60_000 },
  async () => {
    // Asked for by nobody so far, hence not in memory.
    const path = `/api/analytics/summary?property=${encodeURIComponent(owner.site)}&days=28&compare=previous`
    for (const fault of [
      { kind: 'refuse' },
      { kind: 'delay', ms: 600_000 },
      { kind: 'cut', statement: 'SELECT', when: 'in mid-answer' },
    ] as const) {
      await front.fail(fault)
      const [answer, ready] = await Promise.all([owner.person.get(path), readiness()])
      expect([fault.kind, answer.status]).toEqual([fault.kind, 503])
      expect(apiError.strict().parse(answer.body)).toEqual({ message: storeIsAway.ClickHouse })
      expect(answer.headers.get('retry-after')).toBe('30')
      // Cut off is what is asked for figures; the store itself says that it is there.
      expect([fault.kind, ready.status]).toEqual([fault.kind, fault.kind === 'cut' ? 200 : 503])
      expect((await cluster.visitor().get('/healthz')).status).toBe(200)
      await front.fail({ kind: 'none' })
      await until(readiness, ({ status }) => status === 200)
    }
    expect(cluster.logLines.some((line) => line.includes('ClickHouse is away'))).toBe(true)
    const [there, here] = [await owner.person.get(path), await ownerAlone.person.get(path.replace(owner.site, ownerAlone.site))]
    expect(there.body).toEqual(here.body)
  },
)

test('no rule is blamed for it, and all are judged once ClickHouse is back', { timeout: 60_000 }, async () => {
  const evaluate = () => owner.person.send('POST', `/api/alerts/evaluate?property=${encodeURIComponent(owner.site)}`)
  await front.fail({ kind: 'refuse' })
  expect(await evaluate()).toMatchObject({ status: 503, body: { message: storeIsAway.ClickHouse } })
  const rules = async () => alertConditions.parse((await owner.person.get('/api/alert-conditions')).body)
  expect((await rules()).map(({ problem }) => problem)).toEqual((await rules()).map(() => null))
  expect(await rules()).not.toHaveLength(0)
  await front.fail({ kind: 'none' })
  await until(evaluate, ({ status }) => status === 200)
})

test('with the account go its facts, of every shard, though ClickHouse is away when it is deleted', { timeout: 60_000 }, async () => {
  const property = await propertyId(cluster, owner.site)
  const rows = async (): Promise<number> => {
    const tables = ['facts_current', 'facts_total', 'facts_query_page', 'facts_hour', 'windows', 'window_query']
    const counts = tables.map((table) => `SELECT count() AS n FROM ${table} WHERE property = ${property}`)
    const answer = await stored.client.query({
      query: `SELECT toUInt32(sum(n)) AS n FROM (${counts.join(' UNION ALL ')})`,
      format: 'JSONEachRow',
    })
    return (await answer.json<{ n: number }>())[0]?.n ?? -1
  }
  expect(await rows()).toBeGreaterThan(100)
  await front.fail({ kind: 'refuse' })
  const { username } = user.parse((await owner.person.get('/api/user')).body)
  const answer = await owner.person.send('DELETE', '/api/user', { username })
  expect(answer.status).toBe(204)
  await front.fail({ kind: 'none' })
  await until(rows, (count) => count === 0)
})
