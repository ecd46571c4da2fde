import type { IsoDate } from '../../contract/common.ts'
import type { DayCount } from './day-counts.ts'

/** What is left of one of Google's quotas at a moment; below zero callers queue. */
export type GoogleQuotasTable = {
  key: string
  tokens: number
  at: Date
}

/** How much of an allowance was used up on a day (day-counts.ts); apart from what it was used for, which may be deleted. */
export type DayCountsTable = DayCount & { day: IsoDate; used: number }

/** Who has something in hand that asks somebody outside, and until when nobody else has (leases.ts). */
export type LeasesTable = {
  kind: 'message' | 'report-mail' | 'test-message' | 'payment'
  key: string
  userId: string
  /** Whom it keeps busy: a server of somebody, say. */
  place: string | null
  owner: string
  until: Date
}

/** Who asks Google about a property, and until when nobody else does. */
export type SyncLeasesTable = {
  kind: 'days' | 'hours'
  propertyId: number
  userId: string
  owner: string
  until: Date
}
