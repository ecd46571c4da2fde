import { setTimeout as sleep } from 'node:timers/promises'

/** Search Analytics calls in any minute. */
export type CallLimits = { perSite: number; perUser: number; perProject: number }
/** Calls a minute for Search Analytics: 95 % of what Google allows (docs/google-api.md, Quotas), since clocks differ. */
export const googleLimits: CallLimits = { perSite: 1_140, perUser: 1_140, perProject: 38_000 }

type Bucket = { tokens: number; at: number }

/**
 * Token buckets that keep us below a limit of calls a minute. A bucket starts with half of the
 * limit and refills with the other half over a minute, so no minute, however it is cut, holds more.
 */
export function createTokenBuckets(callsPerMinute: number, nowMs: () => number) {
  const capacity = Math.floor(callsPerMinute / 2)
  const perMs = (callsPerMinute - capacity) / 60_000
  const buckets = new Map<string, Bucket>()

  function refill(key: string): Bucket {
    const now = nowMs()
    let bucket = buckets.get(key)
    if (!bucket) buckets.set(key, (bucket = { tokens: capacity, at: now }))
    bucket.tokens = Math.min(capacity, bucket.tokens + Math.max(0, now - bucket.at) * perMs)
    bucket.at = now
    return bucket
  }

  return {
    /** Takes one call and answers how many milliseconds to wait before making it; 0 when at once. */
    take(key: string): number {
      const bucket = refill(key)
      // Going below zero queues the callers one behind the other instead of waking them all at once.
      bucket.tokens -= 1
      return bucket.tokens >= 0 ? 0 : Math.ceil(-bucket.tokens / perMs)
    },
    /** Google said no all the same (other tools use the same quota): hold the calls back for a while. */
    drain(key: string, ms: number): void {
      const bucket = refill(key)
      bucket.tokens = Math.min(bucket.tokens, -ms * perMs)
    },
    /** Forgets buckets that are full again. */
    sweep(): void {
      for (const key of buckets.keys()) if (refill(key).tokens >= capacity) buckets.delete(key)
    },
  }
}

export type GoogleQuota = {
  /** Waits until one more Search Analytics call of this person about this property is within every limit. */
  wait(userId: string, siteUrl: string, signal?: AbortSignal): Promise<void>
  /** Holds calls about this property back for some seconds, after Google refused one. */
  holdBack(siteUrl: string, seconds: number): void
}

/** The quotas of this process, shared by everything in it that calls Search Analytics. */
export function createGoogleQuota(limits: CallLimits = googleLimits, nowMs: () => number = () => performance.now()): GoogleQuota {
  const sites = createTokenBuckets(limits.perSite, nowMs)
  const users = createTokenBuckets(limits.perUser, nowMs)
  const project = createTokenBuckets(limits.perProject, nowMs)
  let taken = 0
  return {
    async wait(userId, siteUrl, signal) {
      const ms = Math.max(sites.take(siteUrl), users.take(userId), project.take('project'))
      if (++taken % 10_000 === 0) for (const buckets of [sites, users]) buckets.sweep()
      if (ms > 0) await sleep(ms, undefined, signal ? { signal } : {})
    },
    holdBack: (siteUrl, seconds) => sites.drain(siteUrl, seconds * 1000),
  }
}
