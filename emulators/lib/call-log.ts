import type { IncomingHttpHeaders } from 'node:http'

export interface LoggedCall {
  readonly at: string
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** 0: not answered. */
  status: number
  /** Why it was refused, which the real service doesn't say; null if it wasn't. */
  problem: string | null
}

const MOST = 1000

/** The calls received, the latest of them in full. Excludes calls to the control API. */
export class CallLog<Entry = LoggedCall> {
  #calls: Entry[] = []
  #total = 0

  add(call: Entry): void {
    this.#total += 1
    this.#calls.push(call)
    if (this.#calls.length > MOST) this.#calls.shift()
  }

  /** Oldest first. */
  summary(last: number): { total: number; last: readonly Entry[] } {
    return { total: this.#total, last: last > 0 ? this.#calls.slice(-last) : [] }
  }

  clear(): void {
    this.#calls = []
    this.#total = 0
  }
}
