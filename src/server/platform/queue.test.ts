import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { eventually, silentLog } from '../../../test/support/platform.ts'
import { openPostgres, type Postgres } from './postgres.ts'
import { openQueue, type Queue } from './queue.ts'

let dataDir: string
let postgres: Postgres

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'ranklark-queue-'))
  postgres = await openPostgres({ dataDir, log: silentLog, onLost: () => {} })
})
afterAll(async () => {
  await postgres.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function open(options: { worker?: boolean; alone?: boolean } = {}): Promise<Queue> {
  const queue = await openQueue({ url: postgres.url, log: silentLog, worker: true, ...options })
  onTestFinished(() => queue.close(1000))
  return queue
}

async function statesOf(name: string): Promise<string[]> {
  const { rows } = await postgres.pool.query<{ state: string }>('SELECT state FROM jobs.job WHERE name = $1', [name])
  return rows.map(({ state }) => state)
}

test('a job runs at once, with its data', async () => {
  const queue = await open()
  await queue.defineQueue('greet')
  const ran = Promise.withResolvers<unknown>()
  await queue.work('greet', {}, async (job) => ran.resolve(job.data))
  const started = performance.now()
  await queue.send('greet', { to: 'you' })
  expect(await ran.promise).toEqual({ to: 'you' })
  expect(performance.now() - started).toBeLessThan(1000)
})

test('one that fails is tried again; one that keeps failing ends as failed', async () => {
  const queue = await open()
  await queue.defineQueue('flaky', { retryLimit: 1 })
  let runs = 0
  await queue.work('flaky', {}, async () => {
    runs += 1
    throw new Error('no')
  })
  await queue.send('flaky', {})
  await eventually(async () => expect(await statesOf('flaky')).toEqual(['failed']))
  expect(runs).toBe(2)
})

test('defining a queue again changes its options', async () => {
  const queue = await open()
  await queue.defineQueue('changed', { retryLimit: 5 })
  await queue.defineQueue('changed', { retryLimit: 0 })
  await queue.work('changed', {}, () => Promise.reject(new Error('no')))
  await queue.send('changed', {})
  await eventually(async () => expect(await statesOf('changed')).toEqual(['failed']))
})

test('higher priority first; not before its time', async () => {
  const queue = await open()
  await queue.defineQueue('ordered')
  await queue.send('ordered', { n: 'low' })
  await queue.send('ordered', { n: 'high' }, { priority: 10 })
  await queue.send('ordered', { n: 'later' }, { priority: 20, startAfter: new Date(Date.now() + 60_000) })
  const seen: unknown[] = []
  await queue.work<{ n: string }>('ordered', {}, async (job) => void seen.push(job.data.n))
  await eventually(() => expect(seen).toEqual(['high', 'low']))
})

test('an exclusive queue holds one job of a key', async () => {
  const queue = await open({ worker: false })
  await queue.defineQueue('once', { policy: 'exclusive' })
  expect(await queue.send('once', {}, { singletonKey: 'a' })).not.toBeNull()
  expect(await queue.send('once', {}, { singletonKey: 'a' })).toBeNull()
  expect(await queue.send('once', {}, { singletonKey: 'b' })).not.toBeNull()
})

test("sent in the caller's transaction, it exists only when that commits", async () => {
  const queue = await open({ worker: false })
  await queue.defineQueue('atomic')
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: postgres.pool }) })
  const send = (fail: boolean) =>
    db.transaction().execute(async (transaction) => {
      await queue.send('atomic', {}, { transaction })
      if (fail) throw new Error('rolled back')
    })
  await expect(send(true)).rejects.toThrow('rolled back')
  expect(await statesOf('atomic')).toEqual([])
  await send(false)
  expect(await statesOf('atomic')).toEqual(['created'])
})

describe('stopping', () => {
  test('a running job is told, and one that ends in time is done', async () => {
    const queue = await open()
    await queue.defineQueue('tidy')
    const running = Promise.withResolvers<void>()
    await queue.work('tidy', {}, async (job) => {
      running.resolve()
      await new Promise((resolve) => job.signal.addEventListener('abort', resolve))
    })
    await queue.send('tidy', {})
    await running.promise
    await queue.close()
    expect(await statesOf('tidy')).toEqual(['completed'])
  })

  test('one that does not end is handed back', async () => {
    const queue = await open()
    await queue.defineQueue('stuck', { retryLimit: 3 })
    const running = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    onTestFinished(() => release.resolve())
    await queue.work('stuck', {}, async () => {
      running.resolve()
      await release.promise
    })
    await queue.send('stuck', {})
    await running.promise
    await queue.close(1000)
    expect(await statesOf('stuck')).toEqual(['retry'])
  })

  test('what a killed process was at runs again at once when nobody else can be at it', async () => {
    const first = await open()
    await first.defineQueue('killed')
    await first.send('killed', { n: 1 })
    // As a process that was killed leaves it: active, with nobody working on it.
    await postgres.pool.query("UPDATE jobs.job SET state = 'active', started_on = now(), heartbeat_on = now() WHERE name = 'killed'")
    await first.close()
    const second = await open({ alone: true })
    const ran = Promise.withResolvers<unknown>()
    await second.work('killed', {}, async (job) => ran.resolve(job.data))
    expect(await ran.promise).toEqual({ n: 1 })
  })
})

test('few connections', async () => {
  await open()
  const { rows } = await postgres.pool.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'ranklark-jobs'",
  )
  expect(rows[0]?.n).toBeLessThanOrEqual(5)
})
