import { CallLog } from '../lib/call-log.ts'
import { FaultPlan } from '../lib/faults.ts'
import { openStateFile } from '../lib/state-file.ts'
import { Clock } from './clock.ts'
import { newId } from './ids.ts'
import { sampleCatalogue } from './objects/catalog.ts'
import type { Kind, Kinds, StripeEvent } from './objects/types.ts'
import { API_VERSION, DEFAULT_PUBLISHABLE_KEY, DEFAULT_SECRET_KEY, DEFAULT_SETTINGS, DEFAULT_WEBHOOK_SECRET } from './options.ts'
import type { Settings, StripeOptions } from './options.ts'
import { Store } from './store.ts'
import { Deliveries } from './webhooks/deliveries.ts'
import { previousAttributes } from './wire/difference.ts'
import { Idempotency } from './wire/idempotency.ts'

/** Stripe keeps events for thirty days; this keeps a number of them. */
const MOST_EVENTS = 2000

/** The call recorded as an event's origin. */
export interface Request {
  readonly id: string | null
  readonly idempotency_key: string | null
}

/** An API call received. */
export interface ApiCall {
  readonly at: string
  readonly method: string
  readonly path: string
  readonly params: string
  readonly idempotencyKey: string | null
  /** 0: not answered. */
  status: number
  replayed: boolean
}

/** The stand-in's entire state; handlers get it and nothing else. */
export class World {
  readonly secretKey: string
  readonly publishableKey: string
  readonly webhookSecret: string
  readonly clock: Clock
  readonly store: Store
  readonly idempotency = new Idempotency()
  readonly faults = new FaultPlan()
  readonly log = new CallLog<ApiCall>()
  readonly deliveries: Deliveries
  settings: Settings = DEFAULT_SETTINGS
  /** Its own URL, known once the port is. */
  url = ''
  #request: Request = { id: null, idempotency_key: null }

  constructor(options: StripeOptions) {
    this.secretKey = options.secretKey ?? DEFAULT_SECRET_KEY
    this.publishableKey = options.publishableKey ?? DEFAULT_PUBLISHABLE_KEY
    this.webhookSecret = options.webhookSecret ?? DEFAULT_WEBHOOK_SECRET
    this.clock = new Clock(options.now)
    this.store = new Store(openStateFile(options.stateDir ?? null, 'stripe.json'))
    this.deliveries = new Deliveries(this.store, () => this.settings.webhookRetrySeconds)
    this.store.extra = () => ({ clock: this.clock.saved(), settings: this.settings, deliveries: this.deliveries.saved() })
    const more = this.store.load()
    if (more === undefined) this.#addSamples()
    else this.#restore(more)
  }

  #restore(more: Record<string, unknown>): void {
    // Written by this program; a file in another format isn't read at all (see Store.load).
    const saved = more as {
      clock?: Parameters<Clock['restore']>[0]
      settings?: Settings
      deliveries?: Parameters<Deliveries['restore']>[0]
    }
    if (saved.clock) this.clock.restore(saved.clock)
    if (saved.settings) this.settings = saved.settings
    if (saved.deliveries) this.deliveries.restore(saved.deliveries)
  }

  #addSamples(): void {
    const { products, prices } = sampleCatalogue(this.clock.seconds())
    for (const product of products) this.store.insert('product', product)
    for (const price of prices) this.store.insert('price', price)
  }

  /** Runs a call; events it causes refer to it. */
  during<T>(request: Request, work: () => T): T {
    this.#request = request
    try {
      return work()
    } finally {
      this.#request = { id: null, idempotency_key: null }
    }
  }

  /** Stores a new object, and emits its event. */
  create<K extends Kind>(kind: K, value: Kinds[K], type: string | null = `${kind}.created`): Kinds[K] {
    this.store.insert(kind, value)
    if (type !== null) this.emit(type, value)
    return value
  }

  /** Changes an object in place, and emits an event if anything changed. */
  change<T extends Kinds[Kind]>(value: T, type: string | null, work: (value: T) => void): T {
    const before = structuredClone(value) as unknown as Record<string, unknown>
    work(value)
    this.store.touched()
    const previous = previousAttributes(before, value as unknown as Record<string, unknown>)
    if (type !== null && previous) this.emit(type, value, previous)
    return value
  }

  /** Notifies the webhook endpoints of an event. */
  emit(type: string, value: object, previous?: Record<string, unknown>): StripeEvent {
    const event: StripeEvent = {
      id: newId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: this.clock.seconds(),
      data: { object: structuredClone({ ...value }), ...(previous ? { previous_attributes: previous } : {}) },
      livemode: false,
      pending_webhooks: 0,
      request: this.#request,
      type,
    }
    this.store.insert('event', event)
    this.store.trim('event', MOST_EVENTS)
    this.deliveries.add(event)
    return event
  }

  /** Resets to the first state; a configured webhook endpoint stays. */
  reset(): void {
    const endpoints = this.store.all('webhook_endpoint').map((endpoint) => ({ endpoint, secret: this.store.secrets.signing[endpoint.id] }))
    this.store.clear()
    for (const { endpoint, secret } of endpoints) {
      this.store.insert('webhook_endpoint', endpoint)
      if (secret !== undefined) this.store.secrets.signing[endpoint.id] = secret
    }
    this.settings = DEFAULT_SETTINGS
    this.clock.freeze(null)
    this.idempotency.clear()
    this.faults.clear()
    this.log.clear()
    this.deliveries.clear()
    this.#addSamples()
    this.store.touched()
  }
}
