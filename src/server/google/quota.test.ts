import fc from 'fast-check'
import type pg from 'pg'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { QuotaMeter } from '../../../emulators/google/api/quota.ts'
import { unused } from '../../../test/support/app.ts'
import { openCluster } from '../../../test/support/clusters.ts'
import { databaseTest } from '../../../test/support/database.ts'
import { postmasterOf, temporaryDirectory } from '../../../test/support/platform.ts'
import { fillDirectory } from '../../../test/support/snapshots.ts'
import { until } from '../../../test/support/until.ts'
import { createCallQueue } from './call-queue.ts'
import { createGoogleQuota, googleLimits } from './quota.ts'
import { createSharedBuckets } from './shared-buckets.ts'

const test = databaseTest()

const begin = Date.UTC(2026, 10, 10)
let keys = 0
const newKey = (): string => `bucket ${++keys}`

/** A process asks to make some calls, `gap` milliseconds after the previous request. */
type Caller = { process: number; gap: number; calls: number }
const caller: fc.Arbitrary<Caller> = fc.record({
  process: fc.nat(2),
  gap: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 90_000 })),
  calls: fc.integer({ min: 1, max: 12 }),
})

/** When each call is made if three processes on one database wait as long as they are told. */
async function callTimes(pool: pg.Pool, callsPerMinute: number, callers: readonly Caller[]): Promise<number[]> {
  const key = newKey()
  let now = 0
  const processes = Array.from({ length: 3 }, () => createSharedBuckets(pool, () => new Date(begin + now)))
  const times: number[] = []
  for (const { process, gap, calls } of callers) {
    now += gap
    const [waits = []] = (await processes[process]?.take([{ key, callsPerMinute, calls }])) ?? []
    for (const wait of waits) times.push(now + wait)
  }
  return times.toSorted((a, b) => a - b)
}

const atOnce = (calls: number): Caller[] =>
  Array.from({ length: Math.ceil(calls / 100) }, (_, i) => ({ process: i % 3, gap: 0, calls: 100 }))

describe('token buckets shared by three processes', () => {
  test('never allow more calls than the limit, in any sixty seconds', async ({ database: { pool } }) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 120 }), fc.array(caller, { minLength: 1, maxLength: 40 }), async (limit, callers) => {
        const times = await callTimes(pool, limit, callers)
        const most = Math.max(...times.map((start, i) => times.slice(i).filter((time) => time < start + 60_000).length))
        expect(most).toBeLessThanOrEqual(limit)
      }),
      { numRuns: 12 },
    )
  })

  test('from the second minute on allow the whole limit, except for the second that a bucket holds', async ({ database: { pool } }) => {
    for (const limit of [60, 120, googleLimits.perUser]) {
      const times = await callTimes(pool, limit, atOnce(limit * 4))
      const inMinute = (minute: number) => times.filter((time) => Math.floor(time / 60_000) === minute).length
      for (const minute of [1, 2]) expect(inMinute(minute)).toBeGreaterThanOrEqual(limit - Math.ceil(limit / 60) - 1)
    }
  })

  test("Google's own count, kept by the stand-in, never leads to a refusal", async ({ database: { pool } }) => {
    const google = new QuotaMeter({
      querySiteMinute: 1200,
      queryUserMinute: 1200,
      queryProjectMinute: 40_000,
      otherUserSecond: 20,
      otherUserMinute: 200,
      answer: '429',
    })
    const times = await callTimes(pool, googleLimits.perSite, atOnce(5000))
    for (const time of times) google.query('sc-domain:x.example', 'ann@example.test', time)
    expect(times.at(-1)! / 60_000).toBeGreaterThan(4)
    expect(times.at(-1)! / 60_000).toBeLessThan(4.5)
  })

  test('two that take from the same buckets at the same time, in any order, both get their tokens', async ({ database: { pool } }) => {
    const [one, other] = [createSharedBuckets(pool), createSharedBuckets(pool)]
    const [a, b] = [newKey(), newKey()].map((key) => ({ key, callsPerMinute: 6_000, calls: 1 }))
    if (!a || !b) throw new Error('There are two')
    const taken = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? one.take([a, b]) : other.take([b, a]))))
    expect(taken.flat(2)).toEqual(Array.from({ length: 80 }, () => 0))
    const [[left] = []] = await one.take([{ ...a, calls: 1 }])
    expect(left).toBe(0)
  })

  test('hold back as long as requested', async ({ database: { pool } }) => {
    let now = begin
    const buckets = createSharedBuckets(pool, () => new Date(now))
    const bucket = { key: newKey(), callsPerMinute: 60 }
    await buckets.drain(bucket, 10_000)
    expect((await buckets.take([{ ...bucket, calls: 1 }]))[0]?.[0]).toBeGreaterThanOrEqual(10_000)
    now += 30_000
    expect(await buckets.take([{ ...bucket, calls: 1 }])).toEqual([[0]])
  })

  test('discard buckets that are full again, and only those', async ({ database: { pool } }) => {
    const bucket = { key: newKey(), callsPerMinute: 4, calls: 2 }
    const buckets = (now: number) => createSharedBuckets(pool, () => new Date(now))
    await buckets(begin).take([bucket])
    await buckets(begin).sweep()
    expect(await buckets(begin).take([bucket])).toEqual([[40_000, 60_000]])
    await buckets(begin + 600_000).take([{ ...bucket, calls: 1 }])
    await buckets(begin + 1_200_000).sweep()
    const { rows } = await pool.query('SELECT 1 FROM google_quotas WHERE key = $1', [bucket.key])
    expect(rows).toEqual([])
  })

  test('a clock that is set back fills nothing twice', async ({ database: { pool } }) => {
    const bucket = { key: newKey(), callsPerMinute: 60, calls: 30 }
    const at = (now: number) => createSharedBuckets(pool, () => new Date(now)).take([bucket])
    await at(begin + 60_000)
    await at(begin)
    // All but the first of 90 calls wait, at 59 a minute: the minute in between wasn't counted twice.
    expect((await at(begin + 60_000))[0]?.[29]).toBe(Math.ceil((89 * 60_000) / 59))
  })
})

describe('the distribution within a process', () => {
  test("users take turns at the project's calls: one with many waiting doesn't keep another waiting", async () => {
    const drawn: ((waits: number[]) => void)[] = []
    const queue = createCallQueue(
      (calls) => new Promise((resolve) => drawn.push(() => resolve(Array.from({ length: calls }, () => 0)))),
      async () => {},
    )
    const order: string[] = []
    const waits = Array.from({ length: 40 }, () => queue.wait('ann').then(() => order.push('ann')))
    waits.push(queue.wait('ben').then(() => order.push('ben')))
    waits.push(queue.wait('ben').then(() => order.push('ben')))
    while (order.length < 42) {
      drawn.shift()?.([])
      await new Promise(setImmediate)
    }
    await Promise.all(waits)
    expect(order.indexOf('ben')).toBeLessThanOrEqual(1)
    expect(order.lastIndexOf('ben')).toBeLessThanOrEqual(3)
  })

  test('nothing is drawn for users who have given up, and when they return they get their call', async () => {
    const drawn: { calls: number; give(): void }[] = []
    const queue = createCallQueue(
      (calls) => new Promise((resolve) => drawn.push({ calls, give: () => resolve(Array.from({ length: calls }, () => 0)) })),
      async () => {},
    )
    const stop = new AbortController()
    const anns = queue.wait('ann')
    const bens = queue.wait('ben', stop.signal)
    stop.abort(new Error('The server is stopping'))
    await expect(bens).rejects.toThrow('The server is stopping')
    drawn[0]?.give()
    await anns
    await new Promise(setImmediate)
    expect(drawn.map(({ calls }) => calls)).toEqual([1])
    const again = queue.wait('ben')
    drawn[1]?.give()
    await expect(again).resolves.toBeUndefined()
  })

  test('a failed draw is reported to all who wait, and the next one tries again', async () => {
    let isAway = true
    const queue = createCallQueue(
      async (calls) => {
        if (isAway) throw new Error('PostgreSQL is away')
        return Array.from({ length: calls }, () => 0)
      },
      async () => {},
    )
    const failed = await Promise.allSettled([queue.wait('ann'), queue.wait('ben')])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    isAway = false
    await expect(queue.wait('ann')).resolves.toBeUndefined()
  })
})

test("our limits are below Google's documented ones", () => {
  expect(googleLimits.perSite).toBeLessThan(1200)
  expect(googleLimits.perUser).toBeLessThan(1200)
  expect(googleLimits.perProject).toBeLessThan(40_000)
})

test('waiting for the quota ends immediately when the server stops', async ({ database: { pool } }) => {
  const quota = createGoogleQuota({ pool, limits: { perSite: 2, perUser: 100, perProject: 100 } })
  const stop = new AbortController()
  await quota.wait('cy', 'site of cy')
  const waiting = quota.wait('cy', 'site of cy', stop.signal)
  stop.abort()
  await expect(waiting).rejects.toThrow('aborted')
})

describe('the quotas of many processes', () => {
  const still = () => new Date(begin)
  let waiting = 0
  const never = (): Promise<void> => {
    waiting += 1
    return new Promise(() => {})
  }
  const quotas = (pool: pg.Pool, perProject: number) =>
    Array.from({ length: 3 }, () =>
      createGoogleQuota({
        pool,
        limits: { perSite: 1000, perUser: 1000, perProject },
        now: still,
        wait: never,
      }),
    )

  test("allow no more calls in total than the project's limit", async ({ database: { pool } }) => {
    await pool.query('DELETE FROM google_quotas')
    const stopped = vi.spyOn(performance, 'now').mockReturnValue(0)
    onTestFinished(() => stopped.mockRestore())
    let made = 0
    const processes = quotas(pool, 1_800)
    // More from each process than all of them may make, so that each has to wait.
    for (let i = 0; i < 93; i += 1) void processes[i % 3]?.wait(`person ${i % 9}`, `site ${i % 9}`).then(() => (made += 1))
    // A second's worth at once; more would only come with time, which stands still here.
    await until(
      async () => waiting,
      (processesThatWait) => processesThatWait === processes.length,
    )
    expect(made).toBe(30)
  })

  test('continue when PostgreSQL is back', { tags: ['full'] }, async () => {
    const dataDir = temporaryDirectory('quota')
    await fillDirectory(unused, dataDir)
    const { pool } = await openCluster(dataDir)
    const quota = createGoogleQuota({ pool })
    await quota.wait('ann', 'site')
    process.kill(postmasterOf(dataDir), 'SIGKILL')
    const isThrough = () =>
      quota.wait('ann', 'site').then(
        () => true,
        () => false,
      )
    expect(await until(isThrough, (is) => is, 50_000)).toBe(true)
  })
})
