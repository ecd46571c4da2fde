/** How many calls are allowed. */
export interface Limit {
  readonly perSecond: number
  /** Size of a burst before the rate applies. */
  readonly burst: number
}

/** Allows calls at a rate, with short bursts above it; per key. */
export class RateLimit {
  /** null: everything is allowed. */
  limit: Limit | null
  #buckets = new Map<string, { left: number; at: number }>()

  constructor(limit: Limit | null) {
    this.limit = limit
  }

  /** @returns whole seconds to wait, 0 if the call is allowed */
  take(key: string, now = Date.now()): number {
    if (!this.limit) return 0
    const { perSecond, burst } = this.limit
    const before = this.#buckets.get(key) ?? { left: burst, at: now }
    const left = Math.min(burst, before.left + ((now - before.at) / 1000) * perSecond)
    const granted = left >= 1
    this.#buckets.set(key, { left: granted ? left - 1 : left, at: now })
    return granted ? 0 : Math.max(1, Math.ceil((1 - left) / perSecond))
  }

  forget(): void {
    this.#buckets.clear()
  }
}
