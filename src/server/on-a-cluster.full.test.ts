import { expect, test as vitest } from 'vitest'
import { analyzedSite } from '../../test/support/analyzed-site.ts'
import { startTestApp } from '../../test/support/app.ts'
import { clusterName, openClusterFacts, startCluster } from '../../test/support/facts-cluster.ts'
import { sumsAtGoogle, sumsStored } from '../../test/support/grain-sums.ts'
import { propertyId } from '../../test/support/people.ts'
import { until } from '../../test/support/until.ts'
import { apiError } from '../contract/common.ts'
import { alertConditions } from '../contract/alerts/conditions.ts'
import { user } from '../contract/user.ts'
import { storeIsAway } from './common/errors.ts'

const today = '2026-03-18'
const days = { start: '2026-03-09', end: '2026-03-17' }
/** How long the app waits for ClickHouse's answer here. */
const patienceMs = 4_000

const test = vitest
  .extend('front', { scope: 'file' }, async ({}, { onCleanup }) => {
    const front = await startCluster()
    onCleanup(() => front.close())
    return front
  })
  .extend('cluster', { scope: 'file' }, async ({ front }, { onCleanup }) => {
    const env = { CLICKHOUSE_URL: `${front.url}/?request_timeout=${patienceMs}`, CLICKHOUSE_CLUSTER: clusterName }
    const cluster = await startTestApp({ today, demo: false, env, logLevel: 'warn' })
    onCleanup(async () => {
      await front.fail({ kind: 'none' })
      await cluster.close()
    })
    return cluster
  })
  .extend('alone', { scope: 'file' }, async ({}, { onCleanup }) => {
    const alone = await startTestApp({ today, demo: false })
    onCleanup(() => alone.close())
    return alone
  })
  /** Reads the stored rows. */
  .extend('stored', { scope: 'file' }, async ({ front }, { onCleanup }) => {
    const stored = await openClusterFacts(front)
    onCleanup(() => stored.close())
    return stored
  })
  .extend(
    'readiness',
    { scope: 'file' },
    ({ cluster }) =>
      () =>
        cluster.visitor().get('/readyz'),
  )
  /** The same property on both, synced while ClickHouse leaves the proxy in between, twice; and what the proxy said meanwhile. */
  .extend('synced', { scope: 'file' }, async ({ front, cluster, alone, readiness }) => {
    /** Waits until the app has sent this to ClickHouse. */
    const said = (statement: RegExp) =>
      until(
        () => front.seen(),
        (statements) => statements.some(({ text }) => statement.test(text)),
        60_000,
      )
    await front.fail({ kind: 'cut', statement: 'INSERT INTO facts_query_page', when: 'before' })
    const syncing = analyzedSite(cluster, 'lamps', 180_000)
    const syncingAlone = analyzedSite(alone, 'lamps', 180_000)
    await said(/^INSERT INTO facts_query_page/)
    // The pointers of some days are stored, but the response is lost.
    await front.fail({ kind: 'cut', statement: 'INSERT INTO facts_current', when: 'in mid-answer' })
    await said(/^INSERT INTO facts_current/)
    await front.fail({ kind: 'refuse' })
    const meanwhile = await readiness()
    await front.fail({ kind: 'none' })
    await until(readiness, ({ status }) => status === 200)
    await cluster.lookForDue()
    const [owner, ownerAlone] = await Promise.all([syncing, syncingAlone])
    return { owner, ownerAlone, meanwhile }
  })

test(
  'a sync whose ClickHouse goes away continues by itself, and stores every day once',
  { timeout: 240_000 },
  async ({ cluster, stored, synced: { owner, meanwhile } }) => {
    expect(meanwhile).toMatchObject({ status: 503, body: { status: 'unavailable', message: expect.stringContaining('ClickHouse') } })
    const property = await propertyId(cluster, owner.site)
    const [here, atGoogle] = [await sumsStored(stored.client, { property }, days), await sumsAtGoogle(cluster.google, owner.site, days)]
    expect(here).toEqual(atGoogle)
    expect(Object.keys(here.query_page)).toHaveLength(8)
  },
)

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

test('every report shows the same as with the embedded ClickHouse', { timeout: 300_000 }, async ({ synced: { owner, ownerAlone } }) => {
  const withFigures: string[] = []
  for (const path of reports(owner.site)) {
    const [there, here] = [await owner.person.get(path), await ownerAlone.person.get(path)]
    expect([path, here.status, there.status]).toEqual([path, 200, 200])
    expect(there.body).toEqual(here.body)
    if (JSON.stringify(here.body).length > 20) withFigures.push(path)
  }
  // Nothing competes here, and not every plan has hours.
  expect(withFigures.length).toBeGreaterThanOrEqual(reports(owner.site).length - 3)
})

test(
  'requests while ClickHouse is down or slow soon get a message saying what to do, and an answer as soon as it is back',
  { timeout: 300_000 },
  async ({ front, cluster, readiness, synced: { owner, ownerAlone } }) => {
    // Not requested so far, so not in memory.
    const path = `/api/analytics/summary?property=${encodeURIComponent(owner.site)}&days=28&compare=previous`
    for (const fault of [
      { kind: 'refuse' },
      { kind: 'delay', ms: 600_000 },
      { kind: 'cut', statement: 'SELECT', when: 'in mid-answer' },
    ] as const) {
      await front.fail(fault)
      const answer = await owner.person.get(path)
      expect([fault.kind, answer.status]).toEqual([fault.kind, 503])
      expect(apiError.strict().parse(answer.body)).toEqual({ message: storeIsAway.ClickHouse })
      expect(answer.headers.get('retry-after')).toBe('30')
      // Queries for figures are cut off; the store itself reports being there. A store that stops answering may just be busy at first.
      await until(readiness, ({ status }) => status === (fault.kind === 'cut' ? 200 : 503))
      expect((await cluster.visitor().get('/healthz')).status).toBe(200)
      await front.fail({ kind: 'none' })
      await until(readiness, ({ status }) => status === 200)
    }
    expect(cluster.logLines.some((line) => line.includes('ClickHouse is unreachable'))).toBe(true)
    const [there, here] = [await owner.person.get(path), await ownerAlone.person.get(path.replace(owner.site, ownerAlone.site))]
    expect(there.body).toEqual(here.body)
  },
)

test(
  'no rule is blamed for it, and all are evaluated once ClickHouse is back',
  { timeout: 300_000 },
  async ({ front, synced: { owner } }) => {
    const evaluate = () => owner.person.send('POST', `/api/alerts/evaluate?property=${encodeURIComponent(owner.site)}`)
    await front.fail({ kind: 'refuse' })
    expect(await evaluate()).toMatchObject({ status: 503, body: { message: storeIsAway.ClickHouse } })
    const rules = async () => alertConditions.parse((await owner.person.get('/api/alert-conditions')).body)
    expect((await rules()).map(({ problem }) => problem)).toEqual((await rules()).map(() => null))
    expect(await rules()).not.toHaveLength(0)
    await front.fail({ kind: 'none' })
    await until(evaluate, ({ status }) => status === 200)
  },
)

test(
  'deleting an account deletes its facts on every shard, even if ClickHouse is down at the time',
  { timeout: 240_000 },
  async ({ front, stored, cluster }) => {
    const owner = await analyzedSite(cluster, 'oaks', 180_000)
    // Cached periods are made from what has been requested.
    for (const path of reports(owner.site)) expect((await owner.person.get(path)).status).toBe(200)
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
  },
)
