import type { AnalyticsDays, DayOfFigures } from '../../../../contract/analytics.ts'
import type { IsoDate } from '../../../../contract/common.ts'
import type { Period } from '../../../../contract/metrics.ts'
import { eachDay } from '../../../../core/analytics/days.ts'
import type { ChartSeries, DayPoint } from '../../../charts/time-series/chart-series.ts'
import { daysBetween, formatPeriod } from '../../../lib/dates.ts'
import { formatMetric } from '../../../lib/format.ts'
import { knownFigure, metricLabels, type MetricName } from '../../../lib/metric.ts'
import { figuresOf } from './detail-figures.ts'

/** The first days with stored figures; null without any. */
export type StoredFrom = { currentFrom: IsoDate | null; previousFrom: IsoDate | null }

const titles: Record<MetricName, string> = { ...metricLabels, position: 'Average position' }

/** One metric's chart for a page or query. */
export function detailChart(metric: MetricName, days: Omit<AnalyticsDays, 'cutOffDays'>, stored: StoredFrom) {
  const { current, previous, completeThrough } = days
  const withYear = previous !== null && previous.start.slice(0, 4) !== current.end.slice(0, 4)
  const series: ChartSeries[] = [
    {
      label: formatPeriod(current, withYear),
      isDays: true,
      points: pointsOf(metric, current, days.days, completeThrough, stored.currentFrom),
    },
    ...(previous === null
      ? []
      : [
          {
            label: formatPeriod(previous, withYear),
            isDays: true,
            points: pointsOf(metric, previous, days.previousDays, completeThrough, stored.previousFrom),
            muted: true,
            shift: daysBetween(previous.start, current.start),
          },
        ]),
  ]
  const value = (of: readonly DayOfFigures[]): string => {
    const figures = figuresOf(of)
    return figures === null ? 'none' : formatMetric(metric, figures[metric])
  }
  const compared = previous === null ? '' : `; ${formatPeriod(previous, true)}: ${value(days.previousDays)}`
  return {
    title: titles[metric],
    summary: `${titles[metric]} by day. ${formatPeriod(current, true)}: ${value(days.days)}${compared}.`,
    series,
  }
}

/** Every day of the period: a day without impressions has no figure, and a day that isn't stored is unknown. */
function pointsOf(metric: MetricName, period: Period, days: readonly DayOfFigures[], through: IsoDate, from: IsoDate | null): DayPoint[] {
  const byDate = new Map(days.map((day) => [day.date, day]))
  return eachDay(period.start, period.end).map((date) => {
    const day = byDate.get(date)
    return { date, value: day === undefined ? null : knownFigure(metric, day), complete: date <= through && from !== null && from <= date }
  })
}
