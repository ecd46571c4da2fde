import { z } from 'zod'
import { isoDate, propertyQuery } from './common.ts'
import { signedIn } from './endpoint.ts'

/**
 * A property's state at Google. Everything except `ok` and `never` stops the sync until the owner (or time) resolves it; `sync.action` says
 * who has to do what.
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

/** The state of one property's sync. Times are ISO instants, days Google's. */
export const syncStatus = z.object({
  property: z.string(),
  state: connectionState,
  /** What happened and what to do, in plain words; null if all is well. */
  message: z.string().nullable(),
  /** A path or URL to fix it, e.g. reconnecting. */
  action: z.object({ label: z.string(), href: z.string() }).nullable(),
  running: z.boolean(),
  /**
   * Days of history left to fetch, and in total, however many search types are fetched; what is left only ever shrinks during the fetch.
   * Both are 0 for a property that isn't synced.
   */
  daysLeft: z.number().int(),
  daysTotal: z.number().int(),
  /** How long the remaining days take at the current pace; null if none are left, or none have come yet. */
  secondsLeft: z.number().int().nonnegative().nullable(),
  /** The last time data was stored for this property. */
  lastSyncedAt: z.iso.datetime().nullable(),
  /** When a waiting sync (quota, Google down) continues. */
  retryAt: z.iso.datetime().nullable(),
  /** Days up to and including this one are complete and final at Google. */
  completeThrough: isoDate.nullable(),
  firstDate: isoDate.nullable(),
  lastDate: isoDate.nullable(),
})
export type SyncStatus = z.infer<typeof syncStatus>
export const syncStatuses = z.array(syncStatus)

export const syncEndpoints = {
  list: signedIn.get('/api/sync', { query: propertyQuery, isLong: 'names', answer: syncStatuses }),
  /** Fetches one property's new data now. */
  start: signedIn.post('/api/sync', { body: propertyQuery.nullish(), answer: syncStatus, status: 202 }),
}
