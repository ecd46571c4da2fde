/**
 * Figures of one day or of one row. `positionSum` is position × impressions, so that it can be added
 * up; `rankedImpressions` are those whose position is known (imported files may hold none).
 */
export type Figures = { clicks: number; impressions: number; positionSum: number; rankedImpressions: number }

/**
 * Totals of a period; `ctr` is a fraction, `position` the impression-weighted mean. Both 0 without
 * impressions, and `position` also where none is known: no real position is 0.
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

/** Change in percent of the previous value; 0 when there is nothing to compare with. */
export const changePercent = (current: number, previous: number): number => (previous === 0 ? 0 : ((current - previous) / previous) * 100)
