import { createHmac, randomUUID } from 'node:crypto'

/** Twilio's timeout. */
const TIMEOUT = 15_000
const MOST = 500

/** A request from Twilio to our side, and its outcome. */
export interface Callback {
  readonly at: string
  readonly url: string
  readonly params: Readonly<Record<string, string>>
  /** null: no answer. */
  status: number | null
}

/** `X-Twilio-Signature`: signs the URL followed by all parameters sorted by name, with the account's token. */
export function signatureOf(url: string, params: Readonly<Record<string, string>>, authToken: string): string {
  const data = Object.keys(params)
    .sort()
    .reduce((text, name) => text + name + params[name], new URL(url).toString())
  return createHmac('sha1', authToken).update(data, 'utf8').digest('base64')
}

/** Tells our side about delivery and replies; each callback is tried once, as Twilio does. */
export class Callbacks {
  readonly #authToken: string
  #done: Callback[] = []
  #pending = new Set<Promise<void>>()

  constructor(authToken: string) {
    this.#authToken = authToken
  }

  post(url: string, params: Readonly<Record<string, string>>): void {
    const callback: Callback = { at: new Date().toISOString(), url, params, status: null }
    this.#done = [...this.#done, callback].slice(-MOST)
    const sending = this.#send(callback).finally(() => this.#pending.delete(sending))
    this.#pending.add(sending)
  }

  async #send(callback: Callback): Promise<void> {
    try {
      const response = await fetch(callback.url, {
        method: 'POST',
        headers: {
          'x-twilio-signature': signatureOf(callback.url, callback.params, this.#authToken),
          'i-twilio-idempotency-token': randomUUID(),
          'user-agent': 'TwilioProxy/1.1',
        },
        body: new URLSearchParams(callback.params),
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT),
      })
      callback.status = response.status
      await response.body?.cancel()
    } catch {
      // No answer, which the list shows as null.
    }
  }

  /** Oldest first. */
  list(): readonly Callback[] {
    return this.#done
  }

  clear(): void {
    this.#done = []
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#pending)
  }
}
