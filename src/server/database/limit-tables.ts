/** What is left of one of Google's quotas at a moment; below zero callers queue. */
export type GoogleQuotasTable = {
  key: string
  tokens: number
  at: Date
}

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
