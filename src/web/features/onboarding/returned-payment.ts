const names = ['payment_intent', 'payment_intent_client_secret', 'redirect_status'] as const

export type ReturnedPayment = { status: 'succeeded' | 'processing' | 'failed'; clientSecret: string | null }

/** What Stripe adds to the return address after a bank's own page; null when nobody comes from there. */
export function returnedPayment(query: URLSearchParams): ReturnedPayment | null {
  if (!query.has('payment_intent')) return null
  const status = query.get('redirect_status')
  return {
    // A payment whose outcome is not said may have been made: the server is asked before anything else.
    status: status === 'failed' || status === 'succeeded' ? status : 'processing',
    clientSecret: query.get('payment_intent_client_secret'),
  }
}

/** The same address without it: a client secret is not for the history. */
export function withoutPayment(query: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(query)
  for (const name of names) rest.delete(name)
  return rest
}
