/**
 * Share of impressions that are clicked, by position. `curve[i]` is that of position i + 1, for positions 1 to 20; never
 * rising. The last one is that of everything further down, too.
 */
export type CtrCurve = readonly number[]

/** What was shown at, and clicked from, a position (rounded; the last one holds all that lie further down). */
export type PositionBin = { position: number; impressions: number; clicks: number }

export const lastCurvePosition = 20

/**
 * Positions 1 to 10 as Sistrix measured them over 80 million keywords (2020). Of the second page the study says only
 * that each position has less than one per cent; we let it fall evenly from there.
 */
export const publishedCurve: CtrCurve = [
  0.285, 0.157, 0.11, 0.08, 0.072, 0.051, 0.04, 0.032, 0.028, 0.025, 0.0095, 0.009, 0.0085, 0.008, 0.0075, 0.007, 0.0065, 0.006, 0.0055,
  0.005,
]

/** Impressions at a position that weigh as much as the published curve does. */
const priorImpressions = 500

/**
 * A property's own curve: at each position the mean of what was measured and what is published, weighted by the
 * property's impressions there (beta-binomial shrinkage), then made non-increasing by pooling neighbours that are in
 * the wrong order (pool adjacent violators: the weighted least-squares fit of all that never rise).
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

/** The curve at a mean position, in a straight line between whole positions. */
export function ctrAt(curve: CtrCurve, position: number): number {
  const within = Math.min(Math.max(position, 1), lastCurvePosition)
  const above = Math.floor(within)
  const here = curve[above - 1] ?? 0
  const below = curve[above] ?? here
  return here + (below - here) * (within - above)
}
