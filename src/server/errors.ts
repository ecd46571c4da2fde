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
