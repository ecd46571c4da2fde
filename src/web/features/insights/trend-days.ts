import type { AnalyticsDays } from '../../../contract/analytics.ts'
import type { DayOfFigures } from '../../../contract/figures.ts'
import type { History, HistoryPoint } from '../../../contract/history.ts'
import type { Period } from '../../../contract/metrics.ts'
import { gapsIn } from '../../../core/analytics/gaps.ts'

/** What the charts need. */
export type TrendDays = Omit<AnalyticsDays, 'cutOffDays'>

/** A history by day, as the days of a period and of the one it is compared with. */
export const trendDaysOf = ({ period, compared, completeThrough, points, previousPoints }: History): TrendDays => ({
  current: period,
  previous: compared,
  completeThrough,
  days: figuresOf(points),
  previousDays: figuresOf(previousPoints),
  gaps: gapsOf(period, points),
  previousGaps: compared === null ? [] : gapsOf(compared, previousPoints),
})

const figuresOf = (points: readonly HistoryPoint[]): DayOfFigures[] =>
  points.flatMap(({ start, figures }) => (figures === null ? [] : [{ date: start, ...figures }]))

const gapsOf = (period: Period, points: readonly HistoryPoint[]): Period[] =>
  gapsIn(period, new Set(points.filter(({ complete }) => complete).map(({ start }) => start)))
