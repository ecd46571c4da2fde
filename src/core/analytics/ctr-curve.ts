/**
 * Clicks per impression, by position. `curve[i]` is for position i + 1, from 1 to 20, never rising. The last one also covers everything
 * further down.
 */
export type CtrCurve = readonly number[]

/** Impressions and clicks at a position (rounded; the last one includes everything further down). */
export type PositionBin = { position: number; impressions: number; clicks: number }

export const lastCurvePosition = 20

/**
 * Positions 1 to 10 as measured by Sistrix over 80 million keywords (2020). For the second page the study only says that each position has
 * less than one percent; ours falls evenly from there.
 */
export const publishedCurve: CtrCurve = [
  0.285, 0.157, 0.11, 0.08, 0.072, 0.051, 0.04, 0.032, 0.028, 0.025, 0.0095, 0.009, 0.0085, 0.008, 0.0075, 0.007, 0.0065, 0.006, 0.0055,
  0.005,
]

/** The published curve's weight, in impressions at a position. */
const priorImpressions = 500

/**
 * A property's own curve: at each position the mean of the measured and the published value, weighted by the property's impressions there
 * (beta-binomial shrinkage), then made non-increasing by pooling adjacent values in the wrong order (pool adjacent violators: the weighted
 * least-squares fit among all non-rising curves).
 */
export function fitCtrCurve(bins: readonly PositionBin[]): CtrCurve {
  const measured = new Map(bins.map((bin) => [bin.position, bin]))
  const points = publishedCurve.map((published, index) => {
    const { impressions, clicks } = measured.get(index + 1) ?? { impressions: 0, clicks: 0 }
    const weight = impressions + priorImpressions
    return { weight, ctr: (clicks + published * priorImpressions) / weight }
  })
  return nonIncreasing(points)
}

function nonIncreasing(points: readonly { weight: number; ctr: number }[]): number[] {
  const pools: { weight: number; ctr: number; length: number }[] = []
  for (const point of points) {
    let pool = { ...point, length: 1 }
    for (let before = pools.at(-1); before !== undefined && before.ctr < pool.ctr; before = pools.at(-1)) {
      pools.pop()
      const weight = before.weight + pool.weight
      pool = { weight, ctr: (before.ctr * before.weight + pool.ctr * pool.weight) / weight, length: before.length + pool.length }
    }
    pools.push(pool)
  }
  return pools.flatMap(({ ctr, length }) => Array.from({ length }, () => ctr))
}

/** The curve at a mean position, linear between whole positions. */
export function ctrAt(curve: CtrCurve, position: number): number {
  const within = Math.min(Math.max(position, 1), lastCurvePosition)
  const above = Math.floor(within)
  const here = curve[above - 1] ?? 0
  const below = curve[above] ?? here
  return here + (below - here) * (within - above)
}
