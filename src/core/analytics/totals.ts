/** Figures of one day or of one row. `positionSum` is position × impressions, so that it can be added up. */
export type Figures = { clicks: number; impressions: number; positionSum: number }

/** Totals of a period; `ctr` is a fraction, `position` the impression-weighted mean. Both 0 without impressions. */
export type Totals = { clicks: number; impressions: number; ctr: number; position: number }

export function totalsOf(rows: Iterable<Figures>): Totals {
  let clicks = 0
  let impressions = 0
  let positionSum = 0
  for (const row of rows) {
    clicks += row.clicks
    impressions += row.impressions
    positionSum += row.positionSum
  }
  return {
    clicks,
    impressions,
    ctr: impressions === 0 ? 0 : clicks / impressions,
    position: impressions === 0 ? 0 : positionSum / impressions,
  }
}

/** Change in percent of the previous value; 0 when there is nothing to compare with. */
export const changePercent = (current: number, previous: number): number =>
  previous === 0 ? 0 : ((current - previous) / previous) * 100
