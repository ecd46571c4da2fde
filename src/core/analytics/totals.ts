/**
 * Figures of one day or row. `positionSum` is position × impressions, so that it can be summed; `rankedImpressions` are those with a known
 * position (imported files may have none).
 */
export type Figures = { clicks: number; impressions: number; positionSum: number; rankedImpressions: number }

/**
 * A period's totals; `ctr` is a fraction, `position` the impression-weighted mean. Both are 0 without impressions, and `position` also if
 * unknown: no real position is 0.
 */
export type Totals = { clicks: number; impressions: number; ctr: number; position: number }

export function totalsOf(rows: Iterable<Figures>): Totals {
  let clicks = 0
  let impressions = 0
  let positionSum = 0
  let rankedImpressions = 0
  for (const row of rows) {
    clicks += row.clicks
    impressions += row.impressions
    positionSum += row.positionSum
    rankedImpressions += row.rankedImpressions
  }
  return {
    clicks,
    impressions,
    ctr: impressions === 0 ? 0 : clicks / impressions,
    position: rankedImpressions === 0 ? 0 : positionSum / rankedImpressions,
  }
}

/** Change in percent of the previous value; 0 without one. */
export const changePercent = (current: number, previous: number): number => (previous === 0 ? 0 : ((current - previous) / previous) * 100)
