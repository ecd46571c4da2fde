import type { IncomingHttpHeaders } from 'node:http'
import type { Answer } from '../lib/answer.ts'
import { FaultPlan } from '../lib/faults.ts'

/** Older ones are discarded. */
const KEPT = 500

/** A request, as received. */
export interface Received {
  readonly id: number
  readonly receivedAt: string
  readonly method: string
  /** Including its query string. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders
  /** Read as UTF-8. */
  readonly body: string
  /** The bytes, which signatures cover. */
  readonly bodyBase64: string
  /** The status sent; 0: none yet, or never. */
  status: number
}

export const FRIENDLY: Answer = { status: 200, headers: {}, body: 'ok', delayMs: 0, hang: false, connectionReset: false }

/** The stand-in's entire state. */
export class World {
  readonly faults = new FaultPlan()
  /** The response unless a fault is pending. */
  answer: Answer = FRIENDLY
  #next = 1
  /** Oldest first. */
  #received: Received[] = []
  /** Requests being answered now, and their maximum since the list was cleared. */
  underWay = 0
  mostUnderWay = 0

  add(request: Omit<Received, 'id' | 'receivedAt' | 'status'>): Received {
    const received = { id: this.#next++, receivedAt: new Date().toISOString(), ...request, status: 0 }
    this.#received.push(received)
    this.#received = this.#received.slice(-KEPT)
    return received
  }

  begun(): void {
    this.underWay += 1
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay)
  }

  ended(): void {
    this.underWay -= 1
  }

  /** Newest first. */
  list(): readonly Received[] {
    return this.#received.toReversed()
  }

  get(id: number): Received | undefined {
    return this.#received.find((each) => each.id === id)
  }

  clear(): void {
    this.#received = []
    this.mostUnderWay = this.underWay
  }
}
