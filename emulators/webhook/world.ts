import type { IncomingHttpHeaders } from 'node:http'
import type { Answer } from '../lib/answer.ts'
import { FaultPlan } from '../lib/faults.ts'

/** Older ones are forgotten. */
const KEPT = 500

/** A request, as it came. */
export interface Received {
  readonly id: number
  readonly receivedAt: string
  readonly method: string
  /** With its query string. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders
  /** Read as UTF-8. */
  readonly body: string
  /** The bytes themselves, which signatures are over. */
  readonly bodyBase64: string
  /** What was answered; 0: nothing yet, or never. */
  status: number
}

export const FRIENDLY: Answer = { status: 200, headers: {}, body: 'ok', delayMs: 0, hang: false, connectionReset: false }

/** All that the stand-in knows. */
export class World {
  readonly faults = new FaultPlan()
  /** What is answered where no fault is waiting. */
  answer: Answer = FRIENDLY
  #next = 1
  /** Oldest first. */
  #received: Received[] = []
  /** Requests that are being answered now, and the most there were at once since the list was cleared. */
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
