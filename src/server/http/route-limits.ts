import { callbackify } from 'node:util'
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type pg from 'pg'
import { Counted, createNetworkLimiter, type SharedLimiter } from '../platform/shared-limits.ts'

/** What `child` really receives, according to the plugin's own code; its types differ. */
type OfRoute = { routeInfo: { method: string | string[]; url?: string } }

type Counts = { current: number; ttl: number }

/** The store for @fastify/rate-limit's counts: PostgreSQL, each route separately, so that all processes share them. */
export function routeLimitsIn(pool: pg.Pool): FastifyRateLimitStoreCtor {
  return class RouteLimits implements FastifyRateLimitStore {
    readonly #route: string
    #limiter: SharedLimiter | undefined

    constructor(_options: unknown, route = '') {
      this.#route = route
    }

    incr(key: string, done: (error: Error | null, counts?: Counts) => void, windowMs: number, max: number): void {
      // A route's limit is the same for every request.
      const limiter = (this.#limiter ??= createNetworkLimiter(pool, { name: this.#route, points: max, seconds: windowMs / 1000 }))
      callbackify(() => counted(limiter, key, max))(done)
    }

    child(options: unknown): RouteLimits {
      const { routeInfo } = options as OfRoute
      return new RouteLimits(undefined, `${String(routeInfo.method)} ${routeInfo.url ?? ''}`)
    }
  }
}

async function counted(limiter: SharedLimiter, key: string, max: number): Promise<Counts> {
  try {
    const { consumedPoints, msBeforeNext } = await limiter.consume(key)
    return { current: consumedPoints, ttl: msBeforeNext }
  } catch (error) {
    if (!(error instanceof Counted)) throw error
    return { current: max + 1, ttl: error.msBeforeNext }
  }
}
