import type { AlertMetric } from './rule.ts'

/** What an entity had in a window, as Search Console counts it. */
export type Sums = {
  clicks: number
  impressions: number
  /** Positions weighted by impressions, over those impressions whose position is known. */
  positionSum: number
  rankedImpressions: number
}

export const noSums: Sums = { clicks: 0, impressions: 0, positionSum: 0, rankedImpressions: 0 }

/** A figure of a window; null where there is none, such as the CTR of nothing shown. `scale` is for sums over longer windows. */
export function figureOf(metric: AlertMetric, sums: Sums, scale = 1): number | null {
  switch (metric) {
    case 'clicks':
      return sums.clicks * scale
    case 'impressions':
      return sums.impressions * scale
    case 'ctr':
      return sums.impressions > 0 ? sums.clicks / sums.impressions : null
    case 'position':
      return sums.rankedImpressions > 0 ? sums.positionSum / sums.rankedImpressions : null
  }
}

/** From one figure to another: in places for positions (more is worse), else in per cent; null from zero. */
export function changeOf(metric: AlertMetric, previous: number, current: number): number | null {
  if (metric === 'position') return current - previous
  return previous === 0 ? null : ((current - previous) / previous) * 100
}

/** The change as its owner feels it: above zero is better. */
export const gainOf = (metric: AlertMetric, change: number): number => (metric === 'position' ? -change : change)
