import { newId } from '../ids.ts'
import type { StripeEvent, WebhookEndpoint } from '../objects/types.ts'
import type { Store } from '../store.ts'
import { post } from './post.ts'
import type { Outcome } from './post.ts'

/** One event on its way to one endpoint. */
export interface Delivery {
  readonly id: string
  readonly event: string
  readonly type: string
  readonly endpoint: string
  /** `held`: waits to be released manually. `failed`: given up. */
  state: 'held' | 'pending' | 'delivered' | 'failed'
  readonly attempts: Outcome[]
}

const MOST = 2000

/** Delivers events to the webhook endpoints: to each in order, and again after a pause if it failed. */
export class Deliveries {
  readonly #store: Store
  readonly #pauses: () => readonly number[]
  readonly #timers = new Set<NodeJS.Timeout>()
  #all: Delivery[] = []
  #lines = new Map<string, Promise<void>>()
  #holding = false
  readonly #end = new AbortController()

  constructor(store: Store, pauses: () => readonly number[]) {
    this.#store = store
    this.#pauses = pauses
  }

  get holding(): boolean {
    return this.#holding
  }

  list(): readonly Delivery[] {
    return this.#all
  }

  add(event: StripeEvent): void {
    const endpoints = this.#store.all('webhook_endpoint').filter((endpoint) => wants(endpoint, event.type))
    event.pending_webhooks = endpoints.length
    for (const endpoint of endpoints) {
      const delivery: Delivery = {
        id: newId('del'),
        event: event.id,
        type: event.type,
        endpoint: endpoint.id,
        state: this.#holding ? 'held' : 'pending',
        attempts: [],
      }
      this.#all.push(delivery)
      if (!this.#holding) this.#enqueue(delivery)
    }
    this.#all = this.#all.slice(-MOST)
  }

  hold(): void {
    this.#holding = true
  }

  /** Sends held events in the given order of ids (default: as they happened), each this many times; then stops holding. */
  async release(order: readonly string[] | 'reversed' | undefined, times: number): Promise<readonly Delivery[]> {
    this.#holding = false
    const held = this.#all.filter((delivery) => delivery.state === 'held')
    const sorted =
      order === undefined
        ? held
        : order === 'reversed'
          ? held.toReversed()
          : order.flatMap((event) => held.filter((delivery) => delivery.event === event))
    for (const delivery of sorted) {
      delivery.state = 'pending'
      for (let time = 0; time < times; time++) this.#enqueue(delivery)
    }
    await this.settled()
    return sorted
  }

  /** Sends an event to every endpoint again. */
  async redeliver(event: StripeEvent): Promise<Outcome[]> {
    const endpoints = this.#store.all('webhook_endpoint').filter((endpoint) => endpoint.status === 'enabled')
    return Promise.all(
      endpoints.map((endpoint) => post(endpoint.url, bodyOf(event), this.#secretOf(endpoint), { signal: this.#end.signal })),
    )
  }

  /** Waits until nothing is in transit, not counting what waits for a later attempt. */
  async settled(): Promise<void> {
    const lines = [...this.#lines.values()]
    await Promise.all(lines)
    if ([...this.#lines.values()].some((line) => !lines.includes(line))) await this.settled()
  }

  #secretOf(endpoint: WebhookEndpoint): string {
    return this.#store.secrets.signing[endpoint.id] ?? ''
  }

  #enqueue(delivery: Delivery): void {
    const line = this.#lines.get(delivery.endpoint) ?? Promise.resolve()
    // Not before the call that caused it has finished.
    const next = line.then(() => new Promise<void>((resolve) => setImmediate(resolve))).then(() => this.#send(delivery))
    this.#lines.set(delivery.endpoint, next)
  }

  async #send(delivery: Delivery): Promise<void> {
    const endpoint = this.#store.find('webhook_endpoint', delivery.endpoint)
    const event = this.#store.find('event', delivery.event)
    if (this.#end.signal.aborted) return
    if (!endpoint || !event) {
      delivery.state = 'failed'
      return
    }
    const outcome = await post(endpoint.url, bodyOf(event), this.#secretOf(endpoint), { signal: this.#end.signal })
    delivery.attempts.push(outcome)
    if (outcome.status !== null && outcome.status >= 200 && outcome.status < 300) {
      if (delivery.state !== 'delivered') event.pending_webhooks = Math.max(0, event.pending_webhooks - 1)
      delivery.state = 'delivered'
    } else if (delivery.state === 'pending') this.#later(delivery)
    this.#store.touched()
  }

  #later(delivery: Delivery): void {
    const pause = this.#pauses()[delivery.attempts.length - 1]
    if (pause === undefined) {
      delivery.state = 'failed'
      return
    }
    if (this.#end.signal.aborted) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      if (delivery.state === 'pending') this.#enqueue(delivery)
    }, pause * 1000)
    timer.unref()
    this.#timers.add(timer)
  }

  saved(): readonly Delivery[] {
    return this.#all
  }

  /** Restores what an earlier process had yet to deliver. */
  restore(saved: readonly Delivery[]): void {
    this.#all = [...saved]
    for (const delivery of this.#all) if (delivery.state === 'pending') this.#enqueue(delivery)
  }

  clear(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
    this.#all = []
    this.#holding = false
  }

  close(): void {
    this.#end.abort()
    for (const timer of this.#timers) clearTimeout(timer)
  }
}

const wants = (endpoint: WebhookEndpoint, type: string): boolean =>
  endpoint.status === 'enabled' && (endpoint.enabled_events.includes('*') || endpoint.enabled_events.includes(type))

export const bodyOf = (event: StripeEvent): string => JSON.stringify(event, null, 2)
