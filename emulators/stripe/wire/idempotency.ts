import { createHash } from 'node:crypto'
import { StripeFailure } from './errors.ts'

interface Kept {
  readonly fingerprint: string
  readonly status: number
  readonly body: string
  readonly request: string
}

const MOST = 2000

/** Responses by the caller's idempotency key, so that repeating a call does nothing twice. */
export class Idempotency {
  readonly #kept = new Map<string, Kept>()

  /** The earlier response, or undefined for a new key; refuses a key that was used with other parameters. */
  replay(key: string, method: string, path: string, body: string): Kept | undefined {
    const kept = this.#kept.get(key)
    if (kept && kept.fingerprint !== fingerprint(method, path, body)) {
      throw new StripeFailure(
        400,
        {
          type: 'idempotency_error',
          message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        },
        true,
      )
    }
    return kept
  }

  keep(key: string, method: string, path: string, body: string, answer: Omit<Kept, 'fingerprint'>): void {
    this.#kept.set(key, { ...answer, fingerprint: fingerprint(method, path, body) })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MOST && oldest !== undefined) this.#kept.delete(oldest)
  }

  clear(): void {
    this.#kept.clear()
  }
}

function fingerprint(method: string, path: string, body: string): string {
  return createHash('sha256').update(`${method} ${path}\n${body}`).digest('base64url')
}
