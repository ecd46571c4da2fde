import type { DayRows } from '../figures/day.ts'
import { mix, unit } from '../figures/random.ts'

const KINDS = ['clicks', 'seen', 'repeats'] as const
/** The draws that decide rounding: the same ones as for a partially counted day (scaleRows). */
const DRAWS = { clicks: 11, seen: 12, repeats: 13 } as const

/**
 * Distributes the events of one row after another over the hours of the day. An event keeps its hour as more of the day is counted, and
 * each hour has the same events whatever else they are grouped by.
 */
export class HourDealer {
  readonly hours: number
  readonly #counted: Float64Array
  readonly #hourOf = { clicks: new Uint8Array(64), seen: new Uint8Array(64), repeats: new Uint8Array(64) }

  /** `counted`: the fraction of the day's events up to the end of each hour. */
  constructor(counted: Float64Array) {
    this.#counted = counted
    this.hours = counted.length
  }

  /** Moves on to the next row. */
  take(rows: DayRows, i: number): void {
    for (const kind of KINDS) this.#deal(kind, rows, i)
  }

  /** How many of the row's events from..to fall into each hour, into `out`. */
  count(kind: (typeof KINDS)[number], from: number, to: number, out: Int32Array): void {
    out.fill(0)
    const hourOf = this.#hourOf[kind]
    for (let event = from; event < to; event++) {
      const hour = hourOf[event] ?? 0
      out[hour] = (out[hour] ?? 0) + 1
    }
  }

  #deal(kind: (typeof KINDS)[number], rows: DayRows, i: number): void {
    const n = rows[kind][i] ?? 0
    if (n > this.#hourOf[kind].length) this.#hourOf[kind] = new Uint8Array(2 * n)
    const hourOf = this.#hourOf[kind]
    const whole = (rows.whole ?? rows)[kind][i] ?? 0
    const draw = unit(mix(rows.seed[i] ?? 0, DRAWS[kind]))
    // Countries and devices have contiguous events; a stride gives each its share of every hour.
    const stride = n % 7919 === 0 ? 1 : 7919
    let place = 0
    let done = 0
    for (let hour = 0; hour < this.hours; hour++) {
      const last = hour === this.hours - 1
      const upTo = last ? n : Math.min(n, Math.floor(whole * (this.#counted[hour] ?? 0) + draw))
      for (; done < upTo; done++) {
        hourOf[place] = hour
        place = (place + stride) % n
      }
    }
  }
}
