import { proofNeeded } from '../../contract/common.ts'

/** What a person is told while a store is away; nothing that was acknowledged is lost by it. */
export const storeIsAway = {
  ClickHouse: "Your data can't be reached right now. Nothing is lost. Please try again in a minute.",
  PostgreSQL: "Our database can't be reached right now. Saved changes are safe. Please try again in a minute.",
} as const
export const storeIsBackAfterSeconds = 30

/**
 * A refusal that a person can act on; the http layer turns it into `{ message, field? }` with its
 * status (OPEN-POINTS 23). Anything else that is thrown is a defect and answers 500.
 */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 502
  readonly field: string | undefined

  constructor(status: Refusal['status'], message: string, field?: string) {
    super(message)
    this.status = status
    this.field = field
  }
}

/** The session has not proven lately who it is; the browser asks for a proof and tries again. */
export class ProofNeeded extends Refusal {
  readonly code = proofNeeded

  constructor() {
    super(403, "Please confirm it's you and try again.")
  }
}

/** What went wrong, in its own words. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
