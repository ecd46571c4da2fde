import type pg from 'pg'
import type { KeyHolder } from './keys.ts'
import { Counted, createNetworkLimiter, createSharedLimiter, type SharedLimiter } from '../platform/shared-limits.ts'
import { ApiProblem } from './problem.ts'
import { counted } from '../../core/words.ts'

/** Requests per minute for one key, and for all keys of an account; a file counts as several. */
export const requestsPerMinute = 300
export const requestsOfAccount = 900
export const costOfFile = 10
/** Requests per minute without a valid key, for one network. */
const strangersPerMinute = 60

export type RateHeaders = Record<string, string>

/** Counts requests over all processes, by key and account, or by network without a valid key. */
export function createRateLimit(pool: pg.Pool) {
  const keys = createSharedLimiter(pool, { name: 'key', points: requestsPerMinute, seconds: 60 })
  const accounts = createSharedLimiter(pool, { name: 'api-account', points: requestsOfAccount, seconds: 60 })
  const strangers = createNetworkLimiter(pool, { name: 'address', points: strangersPerMinute, seconds: 60 })

  return {
    /** Returns the headers about the key's limit. @throws ApiProblem 429 */
    async count({ key, person }: KeyHolder, cost: number): Promise<RateHeaders> {
      const headers = await consume(keys, String(key.id), cost, requestsPerMinute)
      // Counted last, so that a key that keeps sending refused requests doesn't use up the other keys' share.
      await consume(accounts, person.id, cost, requestsOfAccount, ' across all of your keys')
      return headers
    },

    /** Counts a request without a valid key. @throws ApiProblem 429 */
    async countStranger(address: string): Promise<void> {
      await consume(strangers, address, 1, strangersPerMinute)
    },
  }
}
export type RateLimit = ReturnType<typeof createRateLimit>

async function consume(limiter: SharedLimiter, key: string, cost: number, limit: number, whose = ''): Promise<RateHeaders> {
  try {
    return headersOf(await limiter.consume(key, cost), limit)
  } catch (error) {
    if (!(error instanceof Counted)) throw error
    const seconds = secondsOf(error)
    throw new ApiProblem(
      'too-many-requests',
      `You can make up to ${limit} requests a minute${whose}. Try again in ${counted(seconds, 'second')}.`,
      {
        headers: { ...headersOf(error, limit), 'retry-after': String(seconds) },
      },
    )
  }
}

const secondsOf = ({ msBeforeNext }: Counted): number => Math.max(1, Math.ceil(msBeforeNext / 1000))

const headersOf = (usage: Counted, limit: number): RateHeaders => ({
  'ratelimit-policy': `${limit};w=60`,
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(usage.remainingPoints),
  'ratelimit-reset': String(secondsOf(usage)),
})
