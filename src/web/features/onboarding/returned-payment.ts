const names = ['payment_intent', 'payment_intent_client_secret', 'redirect_status'] as const

export type ReturnedPayment = { status: 'succeeded' | 'processing' | 'failed'; clientSecret: string | null }

/** What Stripe adds to the return URL after a bank's own page; null for other visits. */
export function returnedPayment(query: URLSearchParams): ReturnedPayment | null {
  if (!query.has('payment_intent')) return null
  const status = query.get('redirect_status')
  return {
    // A payment with an unknown outcome may have been made: asks the server first.
    status: status === 'failed' || status === 'succeeded' ? status : 'processing',
    clientSecret: query.get('payment_intent_client_secret'),
  }
}

/** The same URL without it: a client secret must not stay in the history. */
export function withoutPayment(query: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(query)
  for (const name of names) rest.delete(name)
  return rest
}
