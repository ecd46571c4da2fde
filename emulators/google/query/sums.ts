/** Most results have few groups per day, and there is one for each of hundreds of days. */
const START = 32

/** Clicks, impressions and position sums per group, in columns that grow as groups appear. */
export class Sums {
  count = 0
  entity = new Float64Array(START)
  detail = new Int32Array(START)
  clicks = new Float64Array(START)
  impressions = new Float64Array(START)
  positions = new Float64Array(START)
  readonly #groups = new Map<number, number>()
  readonly #details: number

  /** `details` is the number of possible detail values. */
  constructor(details: number) {
    this.#details = details
  }

  /** A group known to be new: like `add`, without looking for it. */
  append(entity: number, detail: number, clicks: number, impressions: number, positions: number): void {
    const at = this.count
    this.count += 1
    if (at === this.entity.length) this.#grow()
    this.entity[at] = entity
    this.detail[at] = detail
    this.clicks[at] = clicks
    this.impressions[at] = impressions
    this.positions[at] = positions
  }

  add(entity: number, detail: number, clicks: number, impressions: number, positions: number): void {
    const key = entity * this.#details + detail
    let at = this.#groups.get(key)
    if (at === undefined) {
      this.#groups.set(key, this.count)
      this.append(entity, detail, clicks, impressions, positions)
      return
    }
    this.clicks[at] = (this.clicks[at] ?? 0) + clicks
    this.impressions[at] = (this.impressions[at] ?? 0) + impressions
    this.positions[at] = (this.positions[at] ?? 0) + positions
  }

  /** Forgets which key is which group once nothing more is added; the columns stay. */
  seal(): this {
    this.#groups.clear()
    return this
  }

  #grow(): void {
    this.entity = wider(this.entity)
    this.clicks = wider(this.clicks)
    this.impressions = wider(this.impressions)
    this.positions = wider(this.positions)
    const detail = new Int32Array(this.detail.length * 2)
    detail.set(this.detail)
    this.detail = detail
  }

  /** Group numbers by `rank` (smaller first), then most clicks, then most impressions, then in order of arrival. */
  order(rank: (group: number) => number): Uint32Array {
    const { clicks, impressions, count } = this
    let [topRank, topClicks, topImpressions] = [0, 0, 0]
    for (let i = 0; i < count; i++) {
      topRank = Math.max(topRank, rank(i))
      topClicks = Math.max(topClicks, clicks[i] ?? 0)
      topImpressions = Math.max(topImpressions, impressions[i] ?? 0)
    }
    if ((topRank + 1) * (topClicks + 1) * (topImpressions + 1) * count < Number.MAX_SAFE_INTEGER) {
      // Packing all criteria into one number makes sorting several times faster than comparing them one by one.
      const keys = new Float64Array(count)
      for (let i = 0; i < count; i++) {
        const byClicks = rank(i) * (topClicks + 1) + topClicks - (clicks[i] ?? 0)
        keys[i] = (byClicks * (topImpressions + 1) + topImpressions - (impressions[i] ?? 0)) * count + i
      }
      return Uint32Array.from(keys.sort(), (key) => key % count)
    }
    const order = Uint32Array.from({ length: count }, (_, i) => i)
    return order.sort(
      (a, b) => rank(a) - rank(b) || (clicks[b] ?? 0) - (clicks[a] ?? 0) || (impressions[b] ?? 0) - (impressions[a] ?? 0) || a - b,
    )
  }
}

function wider(old: Float64Array): Float64Array<ArrayBuffer> {
  const next = new Float64Array(old.length * 2)
  next.set(old)
  return next
}
