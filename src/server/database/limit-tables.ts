/** What is left of one of Google's quotas at a moment; below zero callers queue. */
export type GoogleQuotasTable = {
  key: string
  tokens: number
  at: Date
}

/** Who asks Google about a property, and until when nobody else does. */
export type SyncLeasesTable = {
  kind: 'days' | 'hours'
  propertyId: number
  userId: string
  owner: string
  until: Date
}
