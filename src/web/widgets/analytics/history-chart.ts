import { BellRing, Check, CircleCheck } from 'lucide-react'
import type { Alert } from '../../../contract/alerts/alerts.ts'
import type { SearchType } from '../../../contract/common.ts'
import type { History, HistoryGrain, HistoryPoint } from '../../../contract/history.ts'
import type { Period } from '../../../contract/metrics.ts'
import { whyIncomparable } from '../../../core/analytics/anomalies.ts'
import type { ChartMark, ChartSeries } from '../../charts/time-series/chart-series.ts'
import { formatDayBy, formatPeriod } from '../../lib/dates.ts'
import { formatMetric } from '../../lib/format.ts'
import { knownFigure, metricLabels, type MetricName } from '../../lib/metric.ts'
import { listed } from '../../../core/words.ts'

/** The chart's title, summary, lines, and expected clicks. */
export function historyChart(history: History, shown: readonly MetricName[]) {
  const { period, compared, grain, points, previousPoints, expectedClicks } = history
  const name = nameOf(shown, grain)
  return {
    title: name,
    range:
      expectedClicks.length > 0 && shown.includes('clicks')
        ? { label: 'Expected clicks', metric: 'clicks' as const, days: expectedClicks }
        : undefined,
    summary: `${name}. ${formatPeriod(period, true)}: ${shown.map((metric) => extremesOf(metric, points)).join('; ')}.`,
    series: shown.flatMap((metric): ChartSeries[] => {
      const line = {
        label: formatPeriod(period, true),
        isDays: true,
        metric,
        points: points.map((point) => placed(metric, grain, point, point)),
      }
      if (compared === null) return [line]
      const before = previousPoints.flatMap((point, index) => {
        const under = points[index]
        return under === undefined ? [] : [placed(metric, grain, point, under)]
      })
      return [line, { label: formatPeriod(compared, true), isDays: true, metric, muted: true, points: before }]
    }),
  }
}

/** `Clicks, CTR and Position by week` */
const nameOf = (shown: readonly MetricName[], grain: HistoryGrain): string => `${labelsOf(shown)} by ${grain}`

const labelsOf = (metrics: readonly MetricName[]): string => listed(metrics.map((metric) => metricLabels[metric]))

/** A point as placed in the chart: those of the compared period under their counterpart. */
function placed(
  metric: MetricName,
  grain: HistoryGrain,
  { start, end, figures, complete }: HistoryPoint,
  under: HistoryPoint,
): ChartSeries['points'][number] {
  return {
    date: under.start,
    value: figures && knownFigure(metric, figures),
    complete,
    ...(grain !== 'day' && { end: under.end }),
    ...(under.start !== start && { of: { start, end } }),
  }
}

function extremesOf(metric: MetricName, points: readonly HistoryPoint[]): string {
  const values = points.flatMap(({ figures }) => (figures && knownFigure(metric, figures)) ?? [])
  if (values.length === 0) return `${metricLabels[metric]}: no data`
  const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => formatMetric(metric, value))
  return `${metricLabels[metric]} from ${least} to ${most}`
}

/** Notes for reading the chart: the last complete day, and what isn't comparable. */
export function historyNotes(
  history: History,
  { shown, type, wantsComparison, now }: { shown: readonly MetricName[]; type: SearchType; wantsComparison: boolean; now: Date },
): string[] {
  const { period, compared, completeThrough } = history
  const uncounted = compared === null ? [] : shown.filter((metric) => whyIncomparable(metric, period, compared, type) !== null)
  return [
    ...(period.end === completeThrough ? [`Complete through ${formatDayBy(completeThrough, now)}.`] : []),
    ...(wantsComparison && compared === null ? ['No comparison: some of the earlier days are missing.'] : []),
    ...(uncounted.length > 0 ? [`${labelsOf(uncounted)}: Google counted differently on some of these days.`] : []),
  ]
}

/**
 * The alerts about these metrics of a search type: one mark per day for the open ones, on the day they began, and one for those that are
 * over, at the end of the days they evaluated.
 */
export function alertMarks(
  alerts: readonly Alert[],
  { start, end }: Period,
  shown: readonly MetricName[],
  type: SearchType = 'web',
): ChartMark[] {
  const dayOf = ({ state, firstDay, openedWith, current, timestamp }: Alert): string =>
    (state === 'recovered' ? undefined : (firstDay ?? openedWith)) ?? current?.end ?? timestamp.slice(0, 10)
  const within = alerts.filter((alert) => {
    const day = dayOf(alert)
    const isOfType = (alert.searchType ?? 'web') === type
    return isOfType && alert.entity.kind !== 'connection' && shown.includes(alert.type) && start <= day && day <= end
  })
  return kinds.flatMap(([kind, Icon, prefix]) => {
    const byDay = Map.groupBy(
      within.filter((alert) => kindOf(alert) === kind),
      dayOf,
    )
    return [...byDay].map(([date, [first, ...others]]) => ({
      kind: `${kind} alert`,
      Icon,
      date,
      label: `${prefix}: ${first?.title ?? ''}${others.length === 0 ? '' : ` and ${others.length} more`}`,
    }))
  })
}

/** With the icons of their badges. */
const kinds = [
  ['Open', BellRing, 'Alert'],
  ['Recovered', CircleCheck, 'Recovered'],
  ['Ended', Check, 'Ended'],
] as const

const kindOf = ({ state, ended }: Alert) =>
  state !== 'recovered' ? 'Open' : ended === undefined || ended.as === 'recovered' ? 'Recovered' : 'Ended'
