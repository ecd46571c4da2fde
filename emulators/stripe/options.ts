export interface StripeOptions {
  /** 0 picks a free port. */
  readonly port?: number
  /** Directory that keeps all objects across restarts; null keeps nothing. */
  readonly stateDir?: string | null
  readonly secretKey?: string
  readonly publishableKey?: string
  readonly webhookSecret?: string
  /** The base clock, in milliseconds since 1970; default: the real one. */
  readonly now?: () => number
}

export const DEFAULT_SECRET_KEY = 'sk_test_ranklark_local_stand_in'
export const DEFAULT_PUBLISHABLE_KEY = 'pk_test_ranklark_local_stand_in'
export const DEFAULT_WEBHOOK_SECRET = 'whsec_ranklark_local_stand_in'

/** The only version supported: the one that the official SDK pins. */
export const API_VERSION = '2026-10-28.endive'

/** The stand-in's retry intervals; tests change them through the control API. */
export interface Settings {
  /** Days between attempts at a renewal. */
  readonly retryDays: readonly number[]
  /** What happens to a subscription after the last attempt failed. */
  readonly afterRetries: 'cancel' | 'unpaid' | 'past_due'
  /** Real seconds between deliveries of a webhook, after the first one, the second one … */
  readonly webhookRetrySeconds: readonly number[]
}

export const DEFAULT_SETTINGS: Settings = {
  retryDays: [3, 5, 7],
  afterRetries: 'cancel',
  webhookRetrySeconds: [1, 2, 4, 8, 15, 30, 60, 120, 300, 600],
}
