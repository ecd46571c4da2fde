import type pg from 'pg'
import { forServer } from '../platform/tenant.ts'

/** A token bucket's name, and how many calls a minute it allows. */
export type Bucket = { key: string; callsPerMinute: number }

export type SharedBuckets = {
  /** Takes `calls` from each bucket and returns, in the same order, how many milliseconds each call has to wait. */
  take(requests: readonly (Bucket & { calls: number })[]): Promise<number[][]>
  /** Google refused anyway (other tools use the same quota): allows nothing for a while. */
  drain(bucket: Bucket, ms: number): Promise<void>
  /** Deletes buckets that have been full for a long time. */
  sweep(): Promise<void>
}

/**
 * A bucket's content comes on top of what flows in during the minute it is emptied: so it holds just one second's calls, and all others
 * flow in evenly. That way no minute, however it is cut, exceeds the limit, and each minute of a long run nearly reaches it.
 */
const shareOf = ({ callsPerMinute }: { callsPerMinute: number }) => {
  const capacity = Math.max(1, Math.floor(callsPerMinute / 60))
  return { capacity, perMs: (callsPerMinute - capacity) / 60_000 }
}

/** A bucket's content at $1 (PostgreSQL's own time if null): setting the clock back fills nothing twice. */
const filled = (capacity: string, perMs: string) =>
  `least(${capacity}, kept.tokens + greatest(0, extract(epoch FROM coalesce($1::timestamptz, clock_timestamp()) - kept.at) * 1000 * ${perMs}))`

/**
 * All processes' token buckets, in PostgreSQL. Each statement takes from all its buckets or none, ordered by name, so two never deadlock;
 * the part below zero is the queue.
 * @param now sets the time in tests; by default PostgreSQL's, so processes need not agree on one
 */
export function createSharedBuckets(pool: pg.Pool, now: () => Date | null = () => null): SharedBuckets {
  return {
    async take(requests) {
      const total = new Map<string, Bucket & { calls: number }>()
      for (const request of requests) total.set(request.key, { ...request, calls: request.calls + (total.get(request.key)?.calls ?? 0) })
      const asked = [...total.values()]
      const shares = asked.map(shareOf)
      const { rows } = await forServer(() =>
        pool.query<{ key: string; tokens: number }>(
          `WITH asked AS (SELECT * FROM unnest($2::text[], $3::int[], $4::float8[], $5::float8[]) AS asked (key, calls, capacity, per_ms))
        INSERT INTO google_quotas AS kept (key, tokens, at)
        SELECT key, capacity - calls, coalesce($1::timestamptz, clock_timestamp()) FROM asked ORDER BY key
        ON CONFLICT (key) DO UPDATE SET at = greatest(kept.at, coalesce($1::timestamptz, clock_timestamp())), tokens = (
          SELECT ${filled('asked.capacity', 'asked.per_ms')} - asked.calls FROM asked WHERE asked.key = kept.key)
        RETURNING key, tokens`,
          [now(), asked.map(({ key }) => key), asked.map(({ calls }) => calls), shares.map((s) => s.capacity), shares.map((s) => s.perMs)],
        ),
      )
      // The content before the first of these calls; each takes its own in turn.
      const left = new Map(rows.map(({ key, tokens }) => [key, tokens + (total.get(key)?.calls ?? 0)]))
      return requests.map((request) =>
        Array.from({ length: request.calls }, () => {
          const tokens = (left.get(request.key) ?? 0) - 1
          left.set(request.key, tokens)
          return tokens >= 0 ? 0 : Math.ceil(-tokens / shareOf(request).perMs)
        }),
      )
    },

    async drain(bucket, ms) {
      const { capacity, perMs } = shareOf(bucket)
      await pool.query(
        `INSERT INTO google_quotas AS kept (key, tokens, at) VALUES ($2, -$3::float8 * $5::float8, coalesce($1::timestamptz, clock_timestamp()))
        ON CONFLICT (key) DO UPDATE SET at = greatest(kept.at, coalesce($1::timestamptz, clock_timestamp())),
          tokens = least(${filled('$4::float8', '$5::float8')}, -$3::float8 * $5::float8)`,
        [now(), bucket.key, ms, capacity, perMs],
      )
    },

    async sweep() {
      await pool.query(
        `DELETE FROM google_quotas WHERE tokens >= 0 AND at < coalesce($1::timestamptz, clock_timestamp()) - interval '5 minutes'`,
        [now()],
      )
    },
  }
}
