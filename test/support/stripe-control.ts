import { z } from 'zod'
import type { StripeStandIn } from '../../emulators/stripe/server.ts'

const payment = z.object({ status: z.string(), error: z.object({ message: z.string() }).nullable() })
const events = z.object({ events: z.array(z.object({ id: z.string(), type: z.string() })) })
const requests = z.object({ last: z.array(z.object({ method: z.string(), path: z.string(), params: z.string(), replayed: z.boolean() })) })
const outcomes = z.object({ outcomes: z.array(z.object({ status: z.number().nullable() })) })
const state = z.object({
  customers: z.array(z.object({ id: z.string(), email: z.string().nullable(), metadata: z.record(z.string(), z.string()) })),
  subscriptions: z.array(
    z.object({
      id: z.string(),
      customer: z.string(),
      status: z.string(),
      cancel_at_period_end: z.boolean(),
      latest_invoice: z.string().nullable(),
      schedule: z.string().nullable(),
    }),
  ),
})

export const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  /** Can only be saved, not charged. */
  failsLater: '4000000000000341',
  asksEachTime: '4000002760003184',
} as const

type Payment = z.infer<typeof payment>
type Fault = {
  status?: number
  code?: string
  times?: number
  after?: number
  match?: string
  connectionReset?: boolean
  executed?: boolean
}

/** The Stripe stand-in's control API (emulators/stripe/README.md), and its API as a browser with a client secret uses it. */
export function createStripeControl({ url, publishableKey, webhookSecret }: StripeStandIn) {
  async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${url}/_control/${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }
  const settled = () => call('POST', 'deliveries/settled')
  const standing = async () => state.parse(await call('GET', 'state'))

  async function customerOf(email: string) {
    const found = (await standing()).customers.find((customer) => customer.email === email)
    if (!found) throw new Error(`Stripe knows no customer ${email}`)
    return found
  }

  /** All of a user's subscriptions ever, oldest first. */
  async function subscriptionsOf(email: string) {
    const { id } = await customerOf(email)
    return (await standing()).subscriptions.filter(({ customer }) => customer === id)
  }

  return {
    url,
    webhookSecret,
    call,
    settled,
    state: standing,
    customerOf,
    subscriptionsOf,
    /** The status of a user's invoices, oldest first. */
    async invoicesOf(email: string): Promise<string[]> {
      const { id } = await customerOf(email)
      const { data } = z
        .object({ data: z.array(z.object({ status: z.string() })) })
        .parse(await asServer(`invoices?customer=${id}&limit=100`))
      return data.map(({ status }) => status).toReversed()
    },
    /** Sets where events are sent. */
    sendTo: (baseUrl: string) => call('PUT', 'webhook', { url: `${baseUrl}/api/stripe/webhook` }),
    /**
     * Pays for a client secret, like Stripe's script in a browser; `answer`: the cardholder's response if the bank asks. Waits until every
     * webhook has arrived.
     */
    async pay(clientSecret: string, card: string = cards.good, answer?: 'complete' | 'fail'): Promise<Payment> {
      const invoice = await invoiceOf(clientSecret)
      const paid = await call('POST', 'pay', { invoice, card, ...(answer && { authenticate: answer }) })
      return payment.parse(paid)
    },
    /** Confirms with only the secret and the publishable key; returns the status of Stripe's response. */
    async confirm(clientSecret: string): Promise<number> {
      const [intent = ''] = clientSecret.split('_secret_')
      const body = new URLSearchParams({ client_secret: clientSecret, payment_method: 'pm_card_visa' })
      const headers = { authorization: `Bearer ${publishableKey}` }
      const answer = await fetch(`${url}/v1/payment_intents/${intent}/confirm`, { method: 'POST', headers, body })
      await settled()
      return answer.status
    },
    /** Time passes at Stripe, with renewals and all that follows; every webhook has arrived. */
    advance: (step: { days?: number; hours?: number }) => call('POST', 'advance', step),
    /** From now on, a user's card is declined, or works again. */
    async failCard(email: string, problem: string | null = 'generic_decline') {
      await call('PUT', 'card', { customer: (await customerOf(email)).id, problem })
    },
    /** Holds back new events; earlier ones have arrived. */
    async hold() {
      await settled()
      await call('POST', 'deliveries/hold')
    },
    release: (how: { order?: 'reversed'; times?: number } = {}) => call('POST', 'deliveries/release', how),
    events: async () => events.parse(await call('GET', 'events?last=1000')).events,
    redeliver: async (event: string, times = 1) =>
      outcomes.parse(await call('POST', 'redeliver', { event, times })).outcomes.map(({ status }) => status),
    forge: async (forged: { type: string; object: object; signature: 'wrongSecret' | 'missing' | 'old' | 'otherBody' }) =>
      outcomes.parse(await call('POST', 'forge', forged)).outcomes.map(({ status }) => status),
    fail: (fault: Fault) => call('POST', 'fail', fault),
    stopFailing: () => call('DELETE', 'fail'),
    requests: async () => requests.parse(await call('GET', 'requests?last=1000')).last,
    forgetRequests: () => call('DELETE', 'requests'),
  }

  async function asServer(path: string): Promise<unknown> {
    const answer = await fetch(`${url}/v1/${path}`, { headers: { authorization: 'Bearer sk_test_ranklark_local_stand_in' } })
    return answer.json()
  }

  async function invoiceOf(clientSecret: string): Promise<string> {
    const [intent] = clientSecret.split('_secret_')
    const body = await asServer(`invoice_payments?payment[type]=payment_intent&payment[payment_intent]=${intent}`)
    const [found] = z.object({ data: z.array(z.object({ invoice: z.string() })) }).parse(body).data
    if (!found) throw new Error(`No invoice is paid with ${clientSecret}`)
    return found.invoice
  }
}
export type StripeControl = ReturnType<typeof createStripeControl>
