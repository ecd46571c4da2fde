import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { QuotaMeter } from '../../../emulators/google/api/quota.ts'
import { createGoogleQuota, createTokenBuckets, googleLimits } from './quota.ts'

/** Milliseconds between one caller's wish to call and the next one's. */
const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 90_000 })), {
  minLength: 1,
  maxLength: 300,
})

/** When each call is made, if callers wish to call after these gaps and wait as long as they are told. */
function callTimes(callsPerMinute: number, wishes: readonly number[]): number[] {
  let now = 0
  const buckets = createTokenBuckets(callsPerMinute, () => now)
  return wishes.map((gap) => (now += gap) + buckets.take('site')).toSorted((a, b) => a - b)
}

describe('token buckets', () => {
  test('never let more calls through than the limit, in any minute however it is cut', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 120 }), gaps, (limit, wishes) => {
        const times = callTimes(limit, wishes)
        const most = Math.max(...times.map((start, i) => times.slice(i).filter((time) => time < start + 60_000).length))
        expect(most).toBeLessThanOrEqual(limit)
      }),
    )
  })

  test('use the limit up: calls that could be made are not held back for ever', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 120 }), fc.integer({ min: 1, max: 300 }), (limit, calls) => {
        const times = callTimes(
          limit,
          Array.from({ length: calls }, () => 0),
        )
        expect(times.at(-1)).toBeLessThanOrEqual((calls / limit) * 120_000)
      }),
    )
  })

  test('count each site for itself', () => {
    const buckets = createTokenBuckets(4, () => 0)
    expect([buckets.take('a'), buckets.take('a'), buckets.take('b')]).toEqual([0, 0, 0])
    expect(buckets.take('a')).toBeGreaterThan(0)
  })

  test('hold back for as long as they were told to', () => {
    let now = 0
    const buckets = createTokenBuckets(60, () => now)
    buckets.drain('site', 10_000)
    expect(buckets.take('site')).toBeGreaterThanOrEqual(10_000)
    now = 30_000
    expect(buckets.take('site')).toBe(0)
  })

  test('forget what is full again, and only that', () => {
    let now = 0
    const buckets = createTokenBuckets(4, () => now)
    buckets.take('a')
    buckets.take('a')
    buckets.sweep()
    expect(buckets.take('a')).toBeGreaterThan(0)
    now = 600_000
    buckets.sweep()
    expect(buckets.take('a')).toBe(0)
  })
})

test("Google's own count, as the stand-in keeps it, never comes to a refusal", () => {
  const google = new QuotaMeter({
    querySiteMinute: 1200,
    queryUserMinute: 1200,
    queryProjectMinute: 40_000,
    otherUserSecond: 20,
    otherUserMinute: 200,
    answer: '429',
  })
  const times = callTimes(
    googleLimits.perSite,
    Array.from({ length: 5000 }, () => 0),
  )
  for (const time of times) google.query('sc-domain:x.example', 'ann@example.test', time)
  expect(times.at(-1)! / 60_000).toBeGreaterThan(3)
})

test('our limits lie below what Google documents', () => {
  expect(googleLimits.perSite).toBeLessThan(1200)
  expect(googleLimits.perUser).toBeLessThan(1200)
  expect(googleLimits.perProject).toBeLessThan(40_000)
})

test('a wait for the quota ends at once when the server stops', async () => {
  const quota = createGoogleQuota({ perSite: 2, perUser: 100, perProject: 100 })
  const stop = new AbortController()
  await quota.wait('ann', 'site')
  const waiting = quota.wait('ann', 'site', stop.signal)
  stop.abort()
  await expect(waiting).rejects.toThrow('aborted')
})
