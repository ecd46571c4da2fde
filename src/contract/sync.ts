import { z } from 'zod'
import { isoDate, propertyQuery } from './common.ts'
import { endpoint } from './endpoint.ts'

/**
 * How a property stands with Google. Everything but `ok` and `never` stops the sync until
 * the owner (or time) mends it; `sync.action` says who has to do what.
 */
export const connectionState = z.enum([
  'ok',
  'never',
  'token_revoked',
  'scope_missing',
  'permission_missing',
  'property_form',
  'api_disabled',
  'quota',
  'google_unavailable',
  'imported',
])
export type ConnectionState = z.infer<typeof connectionState>

/** Where one property's sync stands. Times are ISO instants, days Google's. */
export const syncStatus = z.object({
  property: z.string(),
  state: connectionState,
  /** What happened and what to do, in a person's words; null when all is well. */
  message: z.string().nullable(),
  /** A path or address that mends it, e.g. reconnecting. */
  action: z.object({ label: z.string(), href: z.string() }).nullable(),
  running: z.boolean(),
  /**
   * Days of history that are still to be fetched, and all that there are, however many search types they are fetched
   * for; what is left only ever shrinks while they are fetched. Both are 0 for a property that is not synced.
   */
  daysLeft: z.number().int(),
  daysTotal: z.number().int(),
  /** How long the days that are left take at the pace so far; null when none are, or none have come yet. */
  secondsLeft: z.number().int().nonnegative().nullable(),
  /** When data was last stored for this property. */
  lastSyncedAt: z.iso.datetime().nullable(),
  /** When a waiting sync (quota, Google away) goes on. */
  retryAt: z.iso.datetime().nullable(),
  /** Every day up to and including this one is complete and final at Google. */
  completeThrough: isoDate.nullable(),
  firstDate: isoDate.nullable(),
  lastDate: isoDate.nullable(),
})
export type SyncStatus = z.infer<typeof syncStatus>
export const syncStatuses = z.array(syncStatus)

/** Fetch what is new for one property now. */
export const syncRequest = z.object({ property: z.string().min(1).max(2048).optional() })

export const syncEndpoints = {
  list: endpoint({ method: 'GET', path: '/api/sync', access: 'session', query: propertyQuery, answer: syncStatuses }),
  start: endpoint({ method: 'POST', path: '/api/sync', access: 'session', body: syncRequest.nullish(), answer: syncStatus, status: 202 }),
}
