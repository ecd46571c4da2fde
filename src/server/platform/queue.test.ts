import { Kysely, PostgresDialect } from 'kysely'
import { describe, expect, onTestFinished } from 'vitest'
import { blank, databaseTest, type TestDatabase } from '../../../test/support/database.ts'
import { eventually, silentLog } from '../../../test/support/platform.ts'
import { openQueue, type Queue } from './queue.ts'

const test = databaseTest(blank)

async function open({ url }: TestDatabase, options: { worker?: boolean; alone?: boolean } = {}): Promise<Queue> {
  const queue = await openQueue({ url, log: silentLog, worker: true, ...options })
  onTestFinished(() => queue.close(1000))
  return queue
}

async function statesOf({ pool }: TestDatabase, name: string): Promise<string[]> {
  const { rows } = await pool.query<{ state: string }>('SELECT state FROM jobs.job WHERE name = $1', [name])
  return rows.map(({ state }) => state)
}

test('a job runs immediately, with its data', async ({ database }) => {
  const queue = await open(database)
  await queue.defineQueue('greet')
  const ran = Promise.withResolvers<unknown>()
  await queue.work('greet', {}, async (job) => ran.resolve(job.data))
  const started = performance.now()
  await queue.send('greet', { to: 'you' })
  expect(await ran.promise).toEqual({ to: 'you' })
  expect(performance.now() - started).toBeLessThan(1000)
})

test('a failed job is retried; one that keeps failing ends as failed', async ({ database }) => {
  const queue = await open(database)
  await queue.defineQueue('flaky', { retryLimit: 1 })
  let runs = 0
  await queue.work('flaky', {}, async () => {
    runs += 1
    throw new Error('no')
  })
  await queue.send('flaky', {})
  await eventually(async () => expect(await statesOf(database, 'flaky')).toEqual(['failed']))
  expect(runs).toBe(2)
})

test('defining a queue again changes its options', async ({ database }) => {
  const queue = await open(database)
  await queue.defineQueue('changed', { retryLimit: 5 })
  await queue.defineQueue('changed', { retryLimit: 0 })
  await queue.work('changed', {}, () => Promise.reject(new Error('no')))
  await queue.send('changed', {})
  await eventually(async () => expect(await statesOf(database, 'changed')).toEqual(['failed']))
})

test('a later start changes the options and the schedule left by an earlier one', async ({ database }) => {
  const stored = async () =>
    (await database.pool.query(`SELECT retry_limit, cron FROM jobs.queue JOIN jobs.schedule USING (name) WHERE name = 'nightly'`)).rows
  for (const [retryLimit, cron] of [
    [3, '1 3 * * *'],
    [3, '1 3 * * *'],
    [4, '2 3 * * *'],
  ] as const) {
    const queue = await open(database)
    await queue.defineQueue('nightly', { retryLimit })
    await queue.schedule('nightly', cron, 'UTC')
    expect(await stored()).toEqual([{ retry_limit: retryLimit, cron }])
  }
})

test('scheduled jobs are sent again within half a minute after their sender died', async ({ database }) => {
  await open(database)
  const { rows } = await database.pool.query(
    "SELECT expire_seconds, retry_limit > 0 AS retried FROM jobs.queue WHERE name = '__pgboss__send-it'",
  )
  expect(rows).toEqual([{ expire_seconds: 30, retried: true }])
})

test('jobs run in order, and none before its time', async ({ database }) => {
  const queue = await open(database)
  await queue.defineQueue('ordered')
  await queue.send('ordered', { n: 'later' }, { startAfter: new Date(Date.now() + 60_000) })
  await queue.send('ordered', { n: 'first' })
  await queue.send('ordered', { n: 'second' })
  const seen: unknown[] = []
  await queue.work<{ n: string }>('ordered', {}, async (job) => void seen.push(job.data.n))
  await eventually(() => expect(seen).toEqual(['first', 'second']))
})

describe('groups take turns', () => {
  /** The order in which a queue's jobs run, one at a time; `meanwhile` may send more while the first one runs. */
  async function orderOf(queue: Queue, name: string, jobs: number, meanwhile: () => Promise<void> = async () => {}): Promise<string[]> {
    const seen: string[] = []
    await queue.work<{ n: string }>(name, {}, async (job) => {
      if (seen.push(job.data.n) === 1) await meanwhile()
    })
    await eventually(() => expect(seen).toHaveLength(jobs))
    return seen
  }
  const keyed = (group: string, n: string) => ({ group, singletonKey: n, data: { n } })

  test('a group with few jobs is next, however many others have waiting', async ({ database }) => {
    const queue = await open(database)
    await queue.defineQueue('fair', { policy: 'short' })
    await queue.sendFairly(
      'fair',
      ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((n) => keyed('ann', n)),
      100,
    )
    const seen = await orderOf(queue, 'fair', 8, async () => {
      await queue.send('fair', { n: 'b1' }, { group: 'ben', singletonKey: 'b1' })
      await queue.send('fair', { n: 'b2' }, { group: 'ben', singletonKey: 'b2' })
    })
    // Once the first one had been taken, the queue was at the second turn: a2 was there before b1.
    expect(seen).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4', 'a5', 'a6'])
  })

  test("a group that always has one job doesn't block one with many", async ({ database }) => {
    const queue = await open(database)
    await queue.defineQueue('steady')
    await queue.sendFairly(
      'steady',
      ['a1', 'a2', 'a3'].map((n) => keyed('ann', n)),
      100,
    )
    const seen: string[] = []
    await queue.work<{ n: string }>('steady', {}, async (job) => {
      seen.push(job.data.n)
      if (seen.length < 8) await queue.send('steady', { n: 'b' }, { group: 'ben' })
    })
    await eventually(() => expect(seen).toHaveLength(10))
    expect(seen.filter((n) => n !== 'b')).toEqual(['a1', 'a2', 'a3'])
    expect(seen.indexOf('a3')).toBeLessThanOrEqual(5)
  })

  test("an urgent job precedes others of its group, but takes no other group's turn", async ({ database }) => {
    const queue = await open(database, { worker: false })
    const worker = await open(database)
    await queue.defineQueue('urgent', { policy: 'short' })
    await queue.sendFairly(
      'urgent',
      ['a1', 'a2', 'a3', 'a4'].map((n) => keyed('ann', n)),
      100,
    )
    await queue.sendFairly(
      'urgent',
      ['b1', 'b2', 'b3'].map((n) => keyed('ben', n)),
      100,
    )
    for (const n of ['now1', 'now2', 'now3']) await queue.send('urgent', { n }, { group: 'ann', singletonKey: n, urgent: true })
    // It is waiting already: the same job becomes urgent.
    expect(await queue.send('urgent', { n: 'a4' }, { group: 'ann', singletonKey: 'a4', urgent: true })).toBeNull()
    const seen = await orderOf(worker, 'urgent', 10)
    expect(seen).toEqual(['a1', 'b1', 'now1', 'a2', 'b2', 'now2', 'a3', 'b3', 'now3', 'a4'])
  })

  test('a group has no more waiting than it has places; one that is about to end no longer counts', async ({ database }) => {
    const queue = await open(database)
    await queue.defineQueue('places', { policy: 'short' })
    const all = ['a1', 'a2', 'a3', 'a4', 'a5'].map((n) => keyed('ann', n))
    expect(await queue.sendFairly('places', [...all, keyed('ben', 'b1')], 2)).toBe(3)
    expect(await queue.sendFairly('places', all, 2)).toBe(0)
    expect(await queue.othersWait('places', 'ann')).toBe(true)
    const seen: string[] = []
    await queue.work<{ n: string }>('places', {}, async (job) => {
      seen.push(job.data.n)
      await queue.sendFairly(
        'places',
        all.filter(({ data }) => !seen.includes(data.n)),
        2,
        job.id,
      )
    })
    await eventually(() => expect(seen.toSorted()).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'b1']))
    await eventually(async () => expect(await queue.openJobs('places', 'ann')).toBe(0))
    expect(await queue.othersWait('places', 'ann')).toBe(false)
  })
})

test('an exclusive queue has one job per key', async ({ database }) => {
  const queue = await open(database, { worker: false })
  await queue.defineQueue('once', { policy: 'exclusive' })
  expect(await queue.send('once', {}, { singletonKey: 'a' })).not.toBeNull()
  expect(await queue.send('once', {}, { singletonKey: 'a' })).toBeNull()
  expect(await queue.send('once', {}, { singletonKey: 'b' })).not.toBeNull()
})

test("sent in the caller's transaction, it exists only if that commits", async ({ database }) => {
  const queue = await open(database, { worker: false })
  await queue.defineQueue('atomic')
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: database.pool }) })
  const send = (fail: boolean) =>
    db.transaction().execute(async (transaction) => {
      await queue.send('atomic', {}, { transaction })
      if (fail) throw new Error('rolled back')
    })
  await expect(send(true)).rejects.toThrow('rolled back')
  expect(await statesOf(database, 'atomic')).toEqual([])
  await send(false)
  expect(await statesOf(database, 'atomic')).toEqual(['created'])
})

describe('stopping', () => {
  test('a running job is notified, and one that ends in time counts as done', async ({ database }) => {
    const queue = await open(database)
    await queue.defineQueue('tidy')
    const running = Promise.withResolvers<void>()
    await queue.work('tidy', {}, async (job) => {
      running.resolve()
      await new Promise((resolve) => job.signal.addEventListener('abort', resolve))
    })
    await queue.send('tidy', {})
    await running.promise
    await queue.close()
    expect(await statesOf(database, 'tidy')).toEqual(['completed'])
  })

  test("one that doesn't end is handed back", async ({ database }) => {
    const queue = await open(database)
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
    expect(await statesOf(database, 'stuck')).toEqual(['retry'])
  })

  test("a killed process's jobs run again immediately if nobody else can be running them", async ({ database }) => {
    const first = await open(database)
    await first.defineQueue('killed')
    await first.send('killed', { n: 1 })
    // As a killed process leaves it: active, but nobody works on it.
    await database.pool.query("UPDATE jobs.job SET state = 'active', started_on = now(), heartbeat_on = now() WHERE name = 'killed'")
    await first.close()
    const second = await open(database, { alone: true })
    const ran = Promise.withResolvers<unknown>()
    await second.work('killed', {}, async (job) => ran.resolve(job.data))
    expect(await ran.promise).toEqual({ n: 1 })
  })
})

test('few connections', async ({ database }) => {
  await open(database)
  const { rows } = await database.pool.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'ranklark-jobs' AND datname = current_database()",
  )
  expect(rows[0]?.n).toBeLessThanOrEqual(5)
})
