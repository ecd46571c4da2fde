export interface StripeOptions {
  /** 0 picks a free port. */
  readonly port?: number
  /** Directory that keeps customers, subscriptions and all else across restarts; null keeps nothing. */
  readonly stateDir?: string | null
  readonly secretKey?: string
  readonly publishableKey?: string
  readonly webhookSecret?: string
  /** The clock the stand-in's own one starts from, in milliseconds since 1970; default: the real one. */
  readonly now?: () => number
}

export const DEFAULT_SECRET_KEY = 'sk_test_ranklark_local_stand_in'
export const DEFAULT_PUBLISHABLE_KEY = 'pk_test_ranklark_local_stand_in'
export const DEFAULT_WEBHOOK_SECRET = 'whsec_ranklark_local_stand_in'

/** The only version spoken here: the one that the official SDK pins. */
export const API_VERSION = '2026-10-28.endive'

/** How patient the stand-in is; tests change it through the control API. */
export interface Settings {
  /** Days from one attempt at a renewal to the next. */
  readonly retryDays: readonly number[]
  /** What becomes of a subscription once the last attempt failed. */
  readonly afterRetries: 'cancel' | 'unpaid' | 'past_due'
  /** Real seconds from one delivery of a webhook to the next, after the first one, the second one … */
  readonly webhookRetrySeconds: readonly number[]
}

export const DEFAULT_SETTINGS: Settings = {
  retryDays: [3, 5, 7],
  afterRetries: 'cancel',
  webhookRetrySeconds: [1, 2, 4, 8, 15, 30, 60, 120, 300, 600],
}
