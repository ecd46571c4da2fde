/** Allowed calls per minute (or second), as in docs/google-api.md. */
export interface Quotas {
  readonly querySiteMinute: number
  readonly queryUserMinute: number
  readonly queryProjectMinute: number
  readonly otherUserSecond: number
  readonly otherUserMinute: number
  /** Which of the two known error formats an exceeded quota gets. */
  readonly answer: '403' | '429'
}

export interface GoogleOptions {
  /** 0 picks a free port. */
  readonly port?: number
  /** Directory that keeps the anchor, consents and refresh tokens across restarts; null keeps nothing. */
  readonly stateDir?: string | null
  /** ISO date from which the scripted incidents count back; default: the day of the first start. */
  readonly anchor?: string
  /** Freezes the clock from the start; null is the real clock. */
  readonly today?: string | null
  readonly seed?: number
  readonly clientId?: string
  readonly clientSecret?: string
  /** Allowed redirect URLs; absent: any. */
  readonly redirectUris?: readonly string[]
  readonly quotas?: Partial<Quotas>
  /** Lifetime of an access token in seconds. Google's is 3599. */
  readonly accessTokenSeconds?: number
  /** Lifetime of an authorization code in seconds. */
  readonly codeSeconds?: number
}

export const DEFAULT_CLIENT_ID = 'ranklark-local.apps.googleusercontent.example'
export const DEFAULT_CLIENT_SECRET = 'local-stand-in-secret'
export const PROJECT_NUMBER = '100000000001'

export const DEFAULT_QUOTAS: Quotas = {
  querySiteMinute: 1_200,
  queryUserMinute: 1_200,
  queryProjectMinute: 40_000,
  otherUserSecond: 20,
  otherUserMinute: 200,
  answer: '429',
}
