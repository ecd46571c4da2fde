import type { AnalyticsDays } from '../../../../contract/analytics.ts'
import type { DayOfFigures } from '../../../../contract/figures.ts'
import type { Period } from '../../../../contract/metrics.ts'
import type { HistoryGrain } from '../../../../contract/range.ts'
import { addDays } from '../../../../core/analytics/days.ts'
import { isUncut, parts } from '../../../../core/analytics/history.ts'
import type { ChartSeries } from '../../../charts/time-series/chart-series.ts'
import { daysFrom, formatPeriod } from '../../../lib/dates.ts'
import { formatFigure } from '../../../lib/format.ts'
import { knownFigure, metricLabels, type MetricName } from '../../../lib/metric.ts'
import { yearsNeeded } from '../coverage/years-of-periods.ts'
import { figuresOf } from './detail-figures.ts'

const titles: Record<MetricName, string> = { ...metricLabels, position: 'Average position' }

/** One metric's chart for a page or query, by day, week or month. */
export function detailChart(metric: MetricName, days: Omit<AnalyticsDays, 'cutOffDays'>, grain: HistoryGrain = 'day') {
  const { current, previous, completeThrough } = days
  const { years } = yearsNeeded(days)
  const shift = previous === null ? 0 : daysFrom(previous.start, current.start)
  // The compared days line up with the period's weeks and months, whatever their own.
  const both = parts(current, grain).map((part) => ({
    part,
    before: { start: addDays(part.start, -shift), end: addDays(part.end, -shift) },
  }))
  const point = (of: Period, rows: readonly DayOfFigures[], part: Period, gaps: readonly Period[]) => {
    const figures = figuresOf(rows.filter(({ date }) => date >= of.start && date <= of.end))
    return {
      value: figures && knownFigure(metric, figures),
      complete: isUncut(part, grain) && of.end <= completeThrough && !gaps.some(({ start, end }) => start <= of.end && end >= of.start),
    }
  }
  const series: ChartSeries[] = [
    {
      label: formatPeriod(current, years),
      isDays: true,
      points: both.map(({ part }) => ({
        date: part.start,
        ...point(part, days.days, part, days.gaps),
        ...(grain !== 'day' && { end: part.end }),
      })),
    },
    ...(previous === null
      ? []
      : [
          {
            label: formatPeriod(previous, years),
            isDays: true,
            points: both.map(({ part, before }) => ({
              ...(grain === 'day' ? { date: before.start } : { date: part.start, end: part.end, of: before }),
              ...point(before, days.previousDays, part, days.previousGaps),
            })),
            muted: true,
            ...(grain === 'day' && { shift }),
          },
        ]),
  ]
  const value = (of: readonly DayOfFigures[]): string => {
    const figures = figuresOf(of)
    return figures === null ? 'none' : formatFigure(metric, figures)
  }
  const compared = previous === null ? '' : `; ${formatPeriod(previous, true)}: ${value(days.previousDays)}`
  return {
    title: grain === 'day' ? titles[metric] : `${titles[metric]} by ${grain}`,
    summary: `${titles[metric]} by ${grain}. ${formatPeriod(current, true)}: ${value(days.days)}${compared}.`,
    series,
  }
}
