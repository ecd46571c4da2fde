import { proofNeeded } from '../../contract/common.ts'
import { propertyName } from '../../core/accounts/property-name.ts'
import { isLockWait } from '../platform/store-outages.ts'

/** The message while a store is down; nothing acknowledged is lost. */
export const storeIsAway = {
  ClickHouse: "Your data can't be reached right now. Nothing is lost. Please try again in a minute.",
  PostgreSQL: "Our database can't be reached right now. Saved changes are safe. Please try again in a minute.",
} as const
/** The message for a question that the engine stopped. */
const tookTooLong = 'This is taking too long. Choose a shorter period, or try again in a minute.'
/** The message for a change that waited too long for another one. */
const otherChange = 'Another change to this account is still in progress. Please try again in a minute.'
/** What a person reads about a statement that a store stopped. */
export const overTimeWords = (error: unknown): string => (isLockWait(error) ? otherChange : tookTooLong)
export const storeIsBackAfterSeconds = 30

/**
 * A refusal that a person can act on; the http layer turns it into `{ message, field? }` with its status (OPEN-POINTS 23). Anything else
 * thrown is a bug and answers 500.
 */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 502 | 503
  readonly field: string | undefined

  constructor(status: Refusal['status'], message: string, field?: string) {
    super(message)
    this.status = status
    this.field = field
  }
}

/** Whatever fills the disk stops before it is full. @param what in the plural */
export const diskIsFull = (what: string): string =>
  `This server is almost out of disk space, so it can't process ${what} right now. Your stored data is safe. Try again in an hour.`

/** For a name that isn't one of the person's properties. */
export const notYourProperty = (name: string): Refusal =>
  new Refusal(404, `${propertyName(name)} is not one of your properties.`, 'property')

/** The session has no recent proof of identity; the browser asks for one and tries again. */
export class ProofNeeded extends Refusal {
  readonly code = proofNeeded

  constructor() {
    super(403, "Please confirm it's you and try again.")
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
