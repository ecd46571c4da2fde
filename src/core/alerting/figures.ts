import type { Figures } from '../analytics/totals.ts'
import type { AlertMetric } from './rule.ts'

/** An entity's sums over a window, as Search Console counts them. */
export type Sums = Figures

export const noSums: Sums = { clicks: 0, impressions: 0, positionSum: 0, rankedImpressions: 0 }

/** A metric over a window; null if undefined, such as the CTR without impressions. `scale` converts sums of longer windows. */
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

/** The change between two values: places for positions (more is worse), percent otherwise; null if it starts at zero. */
export function changeOf(metric: AlertMetric, previous: number, current: number): number | null {
  if (metric === 'position') return current - previous
  return previous === 0 ? null : ((current - previous) / previous) * 100
}

/** The change in terms of success: above zero is better. */
export const gainOf = (metric: AlertMetric, change: number): number => (metric === 'position' ? -change : change)

/** 1 for better, −1 for worse. A change without a size is a rise from zero, but for a position something new or lost: 0. */
export const directionOf = (metric: AlertMetric, change: number | null): number =>
  change === null ? Number(metric !== 'position') : Math.sign(gainOf(metric, change))

type Changed = { change: number | null } | null

/** Whether a figure grew or shrank; without a size it grew: from zero, or a position until it was lost. */
export const signOf = (changed: Changed): number => (changed === null ? 0 : Math.sign(changed.change ?? 1))

/** Whether both rose, or both fell. */
export const isSameDirection = (a: Changed, b: Changed): boolean => signOf(a) === signOf(b)
