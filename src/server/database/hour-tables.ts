/** How far a property's hours are stored. */
export type HourSyncsTable = {
  propertyId: number
  /** When Google last answered. */
  askedAt: Date | null
  /** When the newest stored hour begins. */
  through: Date | null
  /** When the last hour begins that Google has finished counting, apart from later revisions of the whole day. */
  completeThrough: Date | null
  /** Google refused or didn't answer: not before then. */
  retryAt: Date | null
  /** Somebody requested them and waits, at most until then. */
  awaitedUntil: Date | null
  /** They changed, and not everybody concerned has been told. */
  toTell: boolean
}
