export interface LoggedCall {
  readonly at: string
  readonly method: string
  readonly path: string
  readonly params: string
  readonly idempotencyKey: string | null
  /** 0: not answered. */
  status: number
  replayed: boolean
}

const MOST = 1000

/** The API calls received, the latest of them in full. */
export class CallLog {
  #calls: LoggedCall[] = []
  #total = 0

  add(call: LoggedCall): void {
    this.#total += 1
    this.#calls.push(call)
    if (this.#calls.length > MOST) this.#calls.shift()
  }

  summary(last: number): { total: number; last: readonly LoggedCall[] } {
    return { total: this.#total, last: this.#calls.slice(-last) }
  }

  clear(): void {
    this.#calls = []
    this.#total = 0
  }
}
