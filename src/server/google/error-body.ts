import { z } from 'zod'
import type { GoogleProblemKind } from './problem.ts'

/** Google's error bodies: the classic form has `errors`, the newer one `status` and `details`; both may occur together. */
const errorBody = z.object({
  error: z.object({
    message: z.string().default(''),
    status: z.string().optional(),
    errors: z.array(z.object({ reason: z.string().optional() })).default([]),
    details: z.array(z.object({ reason: z.string().optional() })).default([]),
  }),
})

export type ReadError = { kind: GoogleProblemKind; detail: string }

/** Classifies an answer other than 200. Unknown 4xx are our bugs, everything else is transient. */
export function readErrorAnswer(status: number, text: string): ReadError {
  const parsed = errorBody.safeParse(parseJson(text))
  const error = parsed.success ? parsed.data.error : null
  const detail = error?.message || text.slice(0, 300) || `HTTP ${status}`
  const reasons = new Set([...(error?.errors ?? []), ...(error?.details ?? [])].map((entry) => entry.reason))
  return { kind: kindOf(status, reasons, error?.status, detail), detail }
}

function kindOf(status: number, reasons: Set<string | undefined>, code: string | undefined, detail: string): GoogleProblemKind {
  if (status === 401) return 'token_revoked'
  // The load quota has no reason of its own: only its wording distinguishes it from the rate (docs/google-api.md, Quotas).
  if (/load quota/i.test(detail)) return 'load_quota'
  if (status === 429 || code === 'RESOURCE_EXHAUSTED') return 'rate_limited'
  if (status === 403) {
    if (['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded', 'dailyLimitExceeded'].some((reason) => reasons.has(reason)))
      return 'rate_limited'
    if (reasons.has('SERVICE_DISABLED') || reasons.has('accessNotConfigured')) return 'api_disabled'
    if (
      reasons.has('ACCESS_TOKEN_SCOPE_INSUFFICIENT') ||
      reasons.has('insufficientPermissions') ||
      /insufficient authentication scopes/i.test(detail)
    )
      return 'scope_missing'
    return 'permission_missing'
  }
  if (status === 404) return 'permission_missing'
  if (status >= 400 && status < 500 && status !== 408) return 'bad_request'
  return 'unavailable'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** `Retry-After` in seconds, in either of its two forms. */
export function retryAfterSeconds(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header.trim())) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now.getTime()) / 1000))
}
