import type pg from 'pg'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible'
import type { Queue } from './queue.ts'

export { RateLimiterRes as Counted } from 'rate-limiter-flexible'

/** So much may be consumed under one key in so many seconds. */
export type Limit = { name: string; points: number; seconds: number }

/** `consume` rejects with a `Counted` when it was too much. */
export type SharedLimiter = Pick<RateLimiterAbstract, 'consume'>

/**
 * Counts in the table `request_counts`, so that all processes share one count. Whoever has consumed everything is refused
 * from memory until the time is over: being refused costs no query. While PostgreSQL is away each process counts by itself.
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

const sweepQueue = 'sweep-request-counts'

/** Has counts whose time is over deleted every ten minutes, by one process at a time. */
export async function workOnCounts(queue: Queue, pool: pg.Pool): Promise<void> {
  await queue.defineQueue(sweepQueue, { policy: 'exclusive', expireInSeconds: 300 })
  await queue.work<object>(sweepQueue, {}, async () => {
    // By the clock of the machine, as the counts themselves.
    await pool.query('DELETE FROM request_counts WHERE expire < $1', [Date.now()])
  })
  await queue.schedule(sweepQueue, '*/10 * * * *', 'UTC')
}
