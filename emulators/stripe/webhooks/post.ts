import { signatureOf } from './signature.ts'

/** The outcome of one attempt; no status: no response. */
export interface Outcome {
  readonly at: string
  readonly status: number | null
  readonly answer: string
}

const PATIENCE_MS = 20_000

/** Sends an event to an endpoint, signed with the secret, or with the given signature. */
export async function post(
  url: string,
  body: string,
  secret: string,
  { signature = signatureOf(body, secret), signal }: { signature?: string; signal?: AbortSignal } = {},
): Promise<Outcome> {
  const at = new Date().toISOString()
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': signature,
      },
      body,
      signal: AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), ...(signal ? [signal] : [])]),
    })
    return { at, status: response.status, answer: (await response.text()).slice(0, 500) }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { at, status: null, answer: String(cause) }
  }
}
