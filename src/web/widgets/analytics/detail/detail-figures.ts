import type { DayOfFigures, RowFigures } from '../../../../contract/figures.ts'
import { totalsOf } from '../../../../core/analytics/totals.ts'

/** The figures of several days as one; null without any. */
export function figuresOf(days: readonly DayOfFigures[]): RowFigures | null {
  if (days.length === 0) return null
  return totalsOf(
    days.map(({ clicks, impressions, position }) => ({
      clicks,
      impressions,
      positionSum: position * impressions,
      rankedImpressions: position === 0 ? 0 : impressions,
    })),
  )
}
