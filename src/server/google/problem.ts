/**
 * Why Google returned no data. The first group needs a person; `load_quota` and `rate_limited` need time; `unavailable` is worth a retry;
 * `bad_request` is our bug.
 */
export type GoogleProblemKind =
  | 'token_revoked'
  | 'scope_missing'
  | 'permission_missing'
  | 'api_disabled'
  | 'rate_limited'
  | 'load_quota'
  | 'unavailable'
  | 'bad_request'

export type GoogleProblem = {
  kind: GoogleProblemKind
  /** Google's own words, for logs and details. */
  detail: string
  /** Seconds to wait as requested by Google. */
  retryAfter?: number
}

export type GoogleResult<T> = { ok: true; value: T } | { ok: false; problem: GoogleProblem }

export const succeed = <T>(value: T): GoogleResult<T> => ({ ok: true, value })

export const fail = (kind: GoogleProblemKind, detail: string, retryAfter?: number): { ok: false; problem: GoogleProblem } => ({
  ok: false,
  problem: { kind, detail, ...(retryAfter === undefined ? {} : { retryAfter }) },
})
