import type pg from 'pg'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible'
import { networkOf, wideNetworkOf, wideTimes } from './network-of.ts'
import type { Queue } from './queue.ts'

export { RateLimiterRes as Counted } from 'rate-limiter-flexible'

/** Allows this many points per key in this many seconds. */
export type Limit = { name: string; points: number; seconds: number }

/** `consume` rejects with a `Counted` beyond the limit. */
export type SharedLimiter = Pick<RateLimiterAbstract, 'consume'>

/**
 * Counts in the table `request_counts`, shared by all processes. Whoever has used up everything is refused from memory until the time is
 * over, so refusals cost no query. While PostgreSQL is down, each process counts on its own.
 */
export function createSharedLimiter(pool: pg.Pool, { name, points, seconds }: Limit): SharedLimiter {
  const allowance = { keyPrefix: name, points, duration: seconds }
  return new RateLimiterPostgres({
    ...allowance,
    storeClient: pool,
    storeType: 'pool',
    tableName: 'request_counts',
    tableCreated: true,
    clearExpiredByTimeout: false,
    inMemoryBlockOnConsumed: points,
    insuranceLimiter: new RateLimiterMemory(allowance),
  })
}

/** Same for requests from an address, by its network; all of a customer's networks have a looser limit. Other keys count as they are. */
export function createNetworkLimiter(pool: pg.Pool, limit: Limit): SharedLimiter {
  const own = createSharedLimiter(pool, limit)
  const wide = createSharedLimiter(pool, { ...limit, name: `wide ${limit.name}`, points: wideTimes * limit.points })
  return {
    async consume(key, points) {
      const [network, customer] = [networkOf(String(key)), wideNetworkOf(String(key))]
      const counted = await own.consume(network, points)
      // Last, so that a network that keeps sending refused requests doesn't use up its neighbors' share.
      if (customer !== network) await wide.consume(customer, points)
      return counted
    },
  }
}

const sweepQueue = 'sweep-request-counts'

/** Deletes expired counts, of attempts too, every ten minutes, in one process at a time. */
export async function workOnCounts(queue: Queue, pool: pg.Pool): Promise<void> {
  await queue.defineQueue(sweepQueue, { policy: 'exclusive', expireInSeconds: 300 })
  await queue.work<object>(sweepQueue, {}, async () => {
    // By the machine's clock, like the counts themselves.
    const now = [Date.now()]
    await pool.query('DELETE FROM request_counts WHERE expire < $1', now)
    await pool.query('DELETE FROM attempts WHERE expire < $1', now)
  })
  await queue.schedule(sweepQueue, '*/10 * * * *', 'UTC')
}
