import type { IsoDate } from '../../contract/common.ts'
import type { DayCount } from './day-counts.ts'

/** What is left of a Google quota at a moment; below zero, callers queue. */
export type GoogleQuotasTable = {
  key: string
  tokens: number
  at: Date
}

/** How much of an allowance was used on a day (day-counts.ts); separate from what it was used for, which may be deleted. */
export type DayCountsTable = DayCount & { day: IsoDate; used: number }

/** How often a network asked for emails to an address whose reader hasn't answered (accounts/stranger-email-limits.ts). */
export type LetterCountsTable = {
  about: 'account' | 'alerts'
  /** Hashed, like the network together with it: these are addresses of people who may have no account. */
  addressHash: string
  networkHash: string
  /** When the count began, and the asks since then. */
  since: Date
  asks: number
}

/** Who holds an item that involves an outside party, and until when (leases.ts). */
export type LeasesTable = {
  kind: 'message' | 'report-mail' | 'test-message' | 'payment'
  key: string
  userId: string
  /** Whom it occupies, such as a customer's server. */
  place: string | null
  owner: string
  until: Date
}

/** Who is asking Google about a property, and until when nobody else does. */
export type SyncLeasesTable = {
  kind: 'days' | 'hours'
  propertyId: number
  userId: string
  owner: string
  until: Date
}
