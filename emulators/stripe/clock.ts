/** The stand-in's time: a base clock, moved forward or frozen through the control API. */
export class Clock {
  readonly #base: () => number
  #offset = 0
  #frozen: number | null = null

  constructor(base: () => number = Date.now) {
    this.#base = base
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#frozen ?? this.#base() + this.#offset
  }

  /** In Stripe's time format. */
  seconds(): number {
    return Math.floor(this.now() / 1000)
  }

  /** Moves to a given time; a frozen clock stays frozen there. */
  moveTo(ms: number): void {
    if (this.#frozen === null) this.#offset = ms - this.#base()
    else this.#frozen = ms
  }

  /** null: runs again, with the base clock. */
  freeze(ms: number | null): void {
    this.#frozen = ms
    if (ms === null) this.#offset = 0
  }

  get frozen(): boolean {
    return this.#frozen !== null
  }

  saved(): { offset: number; frozen: number | null } {
    return { offset: this.#offset, frozen: this.#frozen }
  }

  restore(saved: { offset: number; frozen: number | null }): void {
    this.#offset = saved.offset
    this.#frozen = saved.frozen
  }
}
