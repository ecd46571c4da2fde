import { setTimeout as sleepMs } from 'node:timers/promises'
import type { GoogleProblem, GoogleResult } from '../google/problem.ts'
import type { GoogleQuota } from '../google/quota.ts'
import type { Connections } from '../sites/service.ts'

/** Pauses between attempts double from `baseMs`; each is drawn from the upper half of its range. */
export type RetryPolicy = { attempts: number; baseMs: number; random: () => number }
export const defaultRetry: RetryPolicy = { attempts: 6, baseMs: 1_000, random: Math.random }

/** Seconds to pause before attempt `attempt + 1` (0-based), never shorter than Google asked for. */
export function pauseSeconds(policy: RetryPolicy, attempt: number, retryAfter?: number): number {
  const full = (policy.baseMs * 2 ** attempt) / 1000
  return Math.max(full * (0.5 + policy.random() / 2), retryAfter ?? 0)
}

/** The sync doesn't sit out a longer pause: it stops and resumes later. */
const longestPause = 120

/** Calls Google once with a working access token, waiting and retrying as needed. */
export type AskGoogle = <T>(call: (accessToken: string) => Promise<GoogleResult<T>>) => Promise<GoogleResult<T>>

export type AskDeps = {
  quota: GoogleQuota
  connections: Pick<Connections, 'accessToken' | 'forgetAccessToken'>
  retry: RetryPolicy
}

/**
 * Calls Google about one property on its owner's behalf: within the quotas, with a fresh access token, retrying after transient faults. A
 * returned problem needs a person, or a much later attempt.
 */
export function askFor(deps: AskDeps, property: { userId: string; name: string }, signal?: AbortSignal): AskGoogle {
  return async (call) => {
    let renewed = false
    for (let attempt = 0; ;) {
      await deps.quota.wait(property.userId, property.name, signal)
      const token = await deps.connections.accessToken(property.userId)
      const answer = token.ok ? await call(token.value) : token
      if (answer.ok) return answer
      // An access token can expire early; one renewal shows whether the grant itself is dead.
      if (token.ok && answer.problem.kind === 'token_revoked' && !renewed) {
        renewed = true
        await deps.connections.forgetAccessToken(property.userId, token.value)
        continue
      }
      const pause = pauseSeconds(deps.retry, attempt, answer.problem.retryAfter)
      if (!isPassing(answer.problem) || ++attempt >= deps.retry.attempts || pause > longestPause) return answer
      if (answer.problem.kind === 'rate_limited') await deps.quota.holdBack(property.name, pause)
      await sleepMs(pause * 1000, undefined, signal ? { signal } : {})
    }
  }
}

const isPassing = (problem: GoogleProblem): boolean => problem.kind === 'rate_limited' || problem.kind === 'unavailable'
