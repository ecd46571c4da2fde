/** How far the hours of a property are stored. */
export type HourSyncsTable = {
  propertyId: number
  /** When Google last answered. */
  askedAt: Date | null
  /** When the newest hour that is stored begins. */
  through: Date | null
  /** When the last hour begins that Google is done counting, but for later revisions of the whole day. */
  completeThrough: Date | null
  /** Google refused or did not answer: not before then. */
  retryAt: Date | null
  /** Somebody asked for them and waits, until then at most. */
  awaitedUntil: Date | null
  /** They changed, and not everybody who has to know was told. */
  toTell: boolean
}
