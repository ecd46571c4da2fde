import type { AnalyticsDays, DayOfFigures } from '../../../contract/analytics.ts'
import type { History, HistoryPoint } from '../../../contract/history.ts'
import type { IsoDate } from '../../../contract/common.ts'

/** What the charts need; `from` are the first stored days, null without any. */
export type TrendDays = {
  days: Omit<AnalyticsDays, 'cutOffDays'>
  from: { currentFrom: IsoDate | null; previousFrom: IsoDate | null }
}

/** A history by day, as the days of a period and of the one it is compared with. */
export const trendDaysOf = ({ period, compared, completeThrough, points, previousPoints }: History): TrendDays => ({
  days: { current: period, previous: compared, completeThrough, days: figuresOf(points), previousDays: figuresOf(previousPoints) },
  from: { currentFrom: firstStored(points), previousFrom: firstStored(previousPoints) },
})

const figuresOf = (points: readonly HistoryPoint[]): DayOfFigures[] =>
  points.flatMap(({ start, figures }) => (figures === null ? [] : [{ date: start, ...figures }]))

const firstStored = (points: readonly HistoryPoint[]): IsoDate | null => points.find(({ complete }) => complete)?.start ?? null
