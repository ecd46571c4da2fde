import type pg from 'pg'
import { networkOf } from '../platform/network-of.ts'
import { Counted, createSharedLimiter, type SharedLimiter } from '../platform/shared-limits.ts'
import { ApiProblem } from './problem.ts'

/** What one key may ask in a minute; a file counts as many requests. */
export const requestsPerMinute = 300
export const costOfFile = 10
/** Requests without a key that is valid, which a network may send in a minute. */
const strangersPerMinute = 60

export type RateHeaders = Record<string, string>

/** Requests are counted over all processes, by key, and by network where no key was valid. */
export function createRateLimit(pool: pg.Pool) {
  const keys = createSharedLimiter(pool, { name: 'key', points: requestsPerMinute, seconds: 60 })
  const strangers = createSharedLimiter(pool, { name: 'address', points: strangersPerMinute, seconds: 60 })

  return {
    /** Answers what to tell the caller about the limit. @throws ApiProblem 429 */
    count: (keyId: number, cost: number): Promise<RateHeaders> => consume(keys, String(keyId), cost, requestsPerMinute),

    /** Counts a request without a valid key. @throws ApiProblem 429 */
    async countStranger(address: string): Promise<void> {
      await consume(strangers, networkOf(address), 1, strangersPerMinute)
    },
  }
}
export type RateLimit = ReturnType<typeof createRateLimit>

async function consume(limiter: SharedLimiter, key: string, cost: number, limit: number): Promise<RateHeaders> {
  try {
    return headersOf(await limiter.consume(key, cost), limit)
  } catch (error) {
    if (!(error instanceof Counted)) throw error
    const seconds = secondsOf(error)
    throw new ApiProblem('too-many-requests', `You can make up to ${limit} requests a minute. Try again in ${seconds} seconds.`, {
      headers: { ...headersOf(error, limit), 'retry-after': String(seconds) },
    })
  }
}

const secondsOf = ({ msBeforeNext }: Counted): number => Math.max(1, Math.ceil(msBeforeNext / 1000))

const headersOf = (counted: Counted, limit: number): RateHeaders => ({
  'ratelimit-policy': `${limit};w=60`,
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(counted.remainingPoints),
  'ratelimit-reset': String(secondsOf(counted)),
})
