import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'
import type { StripeOptions } from './options.ts'
import { startStripe } from './server.ts'
import type { StripeStandIn } from './server.ts'

/** A stand-in with the official SDK connected to it, and a receiver of its webhooks. */
export interface Bench {
  readonly standIn: StripeStandIn
  readonly stripe: Stripe
  /** Events received, with verified signatures. */
  readonly received: Stripe.Event[]
  /** The receiver's response; 200 unless set. */
  answerWith(status: number): void
  control<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>
  /** The types of the events received since the last call, once nothing is in transit. */
  types(): Promise<string[]>
  price(key: 'ranklark_pro_monthly' | 'ranklark_agency_monthly'): Promise<Stripe.Price>
  close(): Promise<void>
}

export function clientOf(standIn: StripeStandIn, config: Stripe.StripeConfig = {}): Stripe {
  return new Stripe(standIn.secretKey, { host: '127.0.0.1', port: standIn.port, protocol: 'http', telemetry: false, ...config })
}

/** Starts a stand-in on a free port, its webhooks pointed at a receiver. */
export async function openBench(options: StripeOptions = {}): Promise<Bench> {
  const standIn = await startStripe(options)
  const stripe = clientOf(standIn, { maxNetworkRetries: 0 })
  const received: Stripe.Event[] = []
  let seen = 0
  let status = 200
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      try {
        const signature = String(request.headers['stripe-signature'] ?? '')
        const event = stripe.webhooks.constructEvent(Buffer.concat(chunks), signature, standIn.webhookSecret)
        if (status < 300) received.push(event)
        response.writeHead(status).end()
      } catch (error) {
        response.writeHead(400).end(String(error))
      }
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const bench: Bench = {
    standIn,
    stripe,
    received,
    answerWith: (next) => {
      status = next
    },
    control: async <T>(method: string, path: string, body?: unknown) => {
      const response = await fetch(`${standIn.url}/_control/${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return JSON.parse(text) as T
    },
    types: async () => {
      await bench.control('POST', 'deliveries/settled')
      const fresh = received.slice(seen)
      seen = received.length
      return fresh.map((event) => event.type)
    },
    price: async (key) => {
      const [price] = (await stripe.prices.list({ lookup_keys: [key] })).data
      if (!price) throw new Error(`no price ${key}`)
      return price
    },
    close: async () => {
      await standIn.close()
      receiver.closeAllConnections()
      await new Promise((resolve) => receiver.close(resolve))
    },
  }
  await bench.control('PUT', 'webhook', { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` })
  return bench
}

/** A subscription with an unpaid first invoice, the starting point of a payment form. */
export async function newSubscription(
  { stripe, price }: Bench,
  more: Partial<Stripe.SubscriptionCreateParams> = {},
): Promise<{ customer: Stripe.Customer; subscription: Stripe.Subscription; item: string; invoice: Stripe.Invoice; clientSecret: string }> {
  const customer = await stripe.customers.create({ email: 'ada@example.com', metadata: { user: '7' } })
  const { id } = await price('ranklark_pro_monthly')
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: id }],
    payment_behavior: 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    expand: ['latest_invoice.confirmation_secret'],
    ...more,
  })
  const invoice = subscription.latest_invoice as Stripe.Invoice
  const item = subscription.items.data[0]?.id ?? ''
  return { customer, subscription, item, invoice, clientSecret: invoice.confirmation_secret?.client_secret ?? '' }
}

/** A subscription paid for with a card. */
export async function paidSubscription(bench: Bench, card = '4242424242424242') {
  const made = await newSubscription(bench)
  await bench.control('POST', 'pay', { subscription: made.subscription.id, card, authenticate: 'complete' })
  const subscription = await bench.stripe.subscriptions.retrieve(made.subscription.id)
  return { ...made, subscription }
}

/** The error of an SDK call. */
export async function errorOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error: unknown = await call.then(
    () => new Error('no error'),
    (reason: unknown) => reason,
  )
  if (error instanceof Stripe.errors.StripeError) return error
  throw error
}
