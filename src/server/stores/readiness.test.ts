import { setTimeout } from 'node:timers/promises'
import { test as base, expect, onTestFinished } from 'vitest'
import { unused } from '../../../test/support/app.ts'
import { startClickHouseFront } from '../../../test/support/clickhouse-front.ts'
import { silentLog } from '../../../test/support/platform.ts'
import { openHome } from '../../../test/support/snapshots.ts'
import { until } from '../../../test/support/until.ts'
import { parseConfig } from '../config.ts'
import { createHealthApp } from '../http/app.ts'
import { createDrain } from '../http/drain.ts'
import { createMetrics } from '../platform/metrics.ts'
import { checkStore } from '../platform/store-outages.ts'
import { forTenant } from '../platform/tenant.ts'
import { needsOf } from './readiness.ts'
import { openStores } from './stores.ts'

/** Stores, and what `/readyz` says about them. */
async function open(clickhouseUrl?: string) {
  const home = await openHome(unused)
  const env = { DATABASE_URL: home.databaseUrl, DATA_DIR: home.dataDir, SECRET_KEY: 'a secret of 32 or more characters' }
  const config = parseConfig({ ...env, ...(clickhouseUrl !== undefined && { CLICKHOUSE_URL: clickhouseUrl }) })
  const stores = await openStores(config, silentLog, () => {})
  const metrics = createMetrics()
  const common = { drain: createDrain(0), metrics, log: silentLog, trustProxy: ['loopback'], baseUrl: () => 'http://localhost' }
  const app = createHealthApp({ ...common, needs: needsOf(stores) })
  const close = async () => {
    await app.close()
    metrics.close()
    await stores.close()
    await home.remove()
  }
  const readyz = async () => {
    const { statusCode, body } = await app.inject('/readyz')
    return [statusCode, JSON.parse(body)] as const
  }
  return { stores, readyz, close }
}
const ready = [200, { status: 'ok' }]
const away = (what: string) => [503, { status: 'unavailable', message: `${what} can't be reached right now.` }]

const test = base
  .extend('embedded', { scope: 'file' }, async ({}, { onCleanup }) => {
    const opened = await open()
    onCleanup(opened.close)
    return opened
  })
  .extend('front', { scope: 'file' }, async ({}, { onCleanup }) => {
    const front = await startClickHouseFront()
    onCleanup(() => front.close())
    return front
  })
  .extend('withServer', { scope: 'file' }, async ({ front }, { onCleanup }) => {
    const opened = await open(front.url)
    onCleanup(opened.close)
    return opened
  })

type Opened = Awaited<ReturnType<typeof open>>

const sleeps = {
  query: 'SELECT sleepEachRow(3) FROM numbers(2)',
  clickhouse_settings: { max_block_size: '1' },
}

/** Two users whose sleeping queries take every place in both stores, and wait for more; they leave when the test is over. */
function fillAllPlaces({ stores }: Opened) {
  let answered = 0
  const stop = new AbortController()
  const note = () => void (answered += 1)
  const sleeping = ['ann', 'ben'].flatMap((user) =>
    forTenant(user, () => [
      ...Array.from({ length: 40 }, () =>
        stores.facts
          .ask((client) => client.query({ ...sleeps, abort_signal: stop.signal }))
          .then(async (answer) => (await answer.text(), note())),
      ),
      ...Array.from({ length: 10 }, () => stores.pool.query('SELECT pg_sleep(600)').then(note)),
    ]),
  )
  onTestFinished(async () => {
    stop.abort(new Error('gone'))
    const ended = Promise.allSettled(sleeping)
    const wake = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep%'`
    await until(
      async () => {
        await stores.checks.postgres.client.query(wake)
        return Promise.race([ended.then(() => true), setTimeout(100, false)])
      },
      (isOver) => isOver,
    )
  })
  return { answered: () => answered }
}

test(
  "while two users' sleeping queries take every place in both stores, the process is ready",
  { tags: ['full'] },
  async ({ embedded }) => {
    const { answered } = fillAllPlaces(embedded)
    for (let look = 0; look < 2; look += 1) expect(await embedded.readyz()).toEqual(ready)
    // None of those queries gave up its slot for that.
    expect(answered()).toBe(0)
  },
)

test(
  'it is ready even if a ClickHouse server is so busy that the check gets no answer, as long as somebody does',
  { tags: ['full'] },
  async ({ withServer }) => {
    fillAllPlaces(withServer)
    for (let look = 0; look < 2; look += 1) expect(await withServer.readyz()).toEqual(ready)
  },
)

test(
  'a store that is gone, or lacks its tables, is down, however recently it answered',
  { tags: ['full'] },
  async ({ front, withServer }) => {
    expect(await withServer.readyz()).toEqual(ready)
    await front.fail({ kind: 'refuse' })
    expect(await withServer.readyz()).toEqual(away('ClickHouse'))
    await front.fail({ kind: 'none' })
    await until(withServer.readyz, ([status]) => status === 200)
    const rename = (from: string, to: string) => withServer.stores.clickhouse.command({ query: `RENAME TABLE ${from} TO ${to}` })
    await rename('facts_current', 'facts_elsewhere')
    expect(await withServer.readyz()).toEqual(away('ClickHouse'))
    await rename('facts_elsewhere', 'facts_current')
    const { pool } = withServer.stores
    await pool.query(`UPDATE kysely_migration SET name = name || ' (away)'`)
    expect(await withServer.readyz()).toEqual(away('PostgreSQL'))
    await pool.query(`UPDATE kysely_migration SET name = replace(name, ' (away)', '')`)
    expect(await withServer.readyz()).toEqual(ready)
  },
)

test(
  "one that answers nobody is down after a while, and so is one whose answer is an error that others don't cause",
  { tags: ['full'] },
  async () => {
    const check = (sinceAnswer: number, ask: () => Promise<unknown>) =>
      checkStore({ client: null, answeredAt: () => performance.now() - sinceAnswer }, ask, (error) => String(error).includes('busy'))
    const hangs = () => new Promise<never>(() => {})
    const fails = (reason: string) => () => Promise.reject(new Error(reason))
    await Promise.all([
      check(5_000, hangs),
      expect(check(20_000, hangs)).rejects.toThrow('no answer in 2000 ms'),
      check(5_000, fails('busy')),
      expect(check(20_000, fails('busy'))).rejects.toThrow('busy'),
      expect(check(0, fails('refused'))).rejects.toThrow('refused'),
    ])
  },
)
