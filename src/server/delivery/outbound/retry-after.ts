import { retryAfterSeconds } from '../../google/error-body.ts'
import type { Outcome } from '../channels/channel.ts'

const dayMs = 24 * 3_600_000

/** The pause requested by `Retry-After`, at most a day; undefined without one. */
export function retryAfterMs(header: string | null, now: Date): number | undefined {
  const seconds = retryAfterSeconds(header, now)
  return seconds === undefined ? undefined : Math.min(dayMs, seconds * 1000)
}

/** A retry, not before the pause the other side asked for. */
export function later(reason: string, retryAfter: string | null, now: Date): Outcome {
  const pause = retryAfterMs(retryAfter, now)
  return { outcome: 'later', reason, ...(pause !== undefined && { retryAfterMs: pause }) }
}
