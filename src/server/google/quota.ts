import { createHash } from 'node:crypto'
import type pg from 'pg'
import { createCallQueue, sleep, type Sleep } from './call-queue.ts'
import { type Bucket, createSharedBuckets } from './shared-buckets.ts'

/** Search Analytics calls within any minute. */
export type CallLimits = { perSite: number; perUser: number; perProject: number }
/**
 * Search Analytics calls in any minute: 96% of Google's limits (docs/google-api.md, Quotas), since evenly spaced calls may reach Google
 * closer together.
 */
export const googleLimits: CallLimits = { perSite: 1_150, perUser: 1_150, perProject: 38_400 }

export type GoogleQuota = {
  /** Waits until one more Search Analytics call by this person about this property is within every limit. */
  wait(userId: string, siteUrl: string, signal?: AbortSignal): Promise<void>
  /** Blocks calls about this property for some seconds after Google refused one. */
  holdBack(siteUrl: string, seconds: number): Promise<void>
}

export type QuotaDeps = {
  /** Where all processes' buckets are. */
  pool: pg.Pool
  limits?: CallLimits
  /** Control time in tests. */
  now?: () => Date | null
  wait?: Sleep
}

type PendingCall = { buckets: readonly Bucket[]; answer(ms: number): void; fail(error: unknown): void }

/** Number of calls after which unused buckets are deleted. */
const sweepEvery = 10_000

/** Hashed, because a bucket outlives its calls by minutes, or by days if little is requested, and the account may be gone by then. */
const keyOf = (kind: 'site' | 'person', name: string): string => createHash('sha256').update(`${kind} ${name}`).digest('base64url')

/**
 * Google's quotas, shared by all processes on one database (docs/decisions/0032). A call waits for its site's and its person's limits,
 * then, with this process's people taking turns, for the project's.
 */
export function createGoogleQuota({ pool, limits = googleLimits, now, wait: pause = sleep }: QuotaDeps): GoogleQuota {
  const buckets = createSharedBuckets(pool, now)
  const site = (siteUrl: string): Bucket => ({ key: keyOf('site', siteUrl), callsPerMinute: limits.perSite })
  const person = (userId: string): Bucket => ({ key: keyOf('person', userId), callsPerMinute: limits.perUser })
  const project: Bucket = { key: 'project', callsPerMinute: limits.perProject }
  const projectCalls = createCallQueue(async (calls) => (await buckets.take([{ ...project, calls }]))[0] ?? [], pause)

  let pending: PendingCall[] = []
  let asking = false
  let taken = 0

  /** One statement at a time; calls arriving meanwhile share the next one. */
  async function ask(): Promise<void> {
    asking = true
    while (pending.length > 0) {
      const asked = pending
      pending = []
      try {
        const answers = await buckets.take(asked.flatMap((call) => call.buckets.map((bucket) => ({ ...bucket, calls: 1 }))))
        let at = 0
        for (const { buckets: own, answer } of asked) answer(Math.max(...own.map(() => answers[at++]?.[0] ?? 0)))
        if (Math.floor((taken + asked.length) / sweepEvery) > Math.floor(taken / sweepEvery)) await buckets.sweep()
        taken += asked.length
      } catch (error) {
        for (const { fail } of asked) fail(error)
      }
    }
    asking = false
  }

  const waitOf = (own: readonly Bucket[]): Promise<number> =>
    new Promise((answer, fail) => {
      pending.push({ buckets: own, answer, fail })
      if (!asking) void ask()
    })

  return {
    async wait(userId, siteUrl, signal) {
      const ms = await waitOf([site(siteUrl), person(userId)])
      if (ms > 0) await pause(ms, signal)
      await projectCalls.wait(userId, signal)
    },
    holdBack: (siteUrl, seconds) => buckets.drain(site(siteUrl), seconds * 1000),
  }
}
