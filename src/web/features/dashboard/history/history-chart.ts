import { BellRing } from 'lucide-react'
import type { Alert } from '../../../../contract/alerts/alerts.ts'
import type { History, HistoryGrain, HistoryPoint } from '../../../../contract/history.ts'
import type { Period } from '../../../../contract/metrics.ts'
import type { ChartMark, ChartSeries } from '../../../charts/time-series/chart-series.ts'
import { formatDay, formatPeriod } from '../../../lib/dates.ts'
import { formatMetric } from '../../../lib/format.ts'
import { metricLabels, type MetricName } from '../../../lib/metric.ts'

/** What the chart of these metrics is called, says, and draws. */
export function historyChart({ period, compared, grain, points, previousPoints }: History, shown: readonly MetricName[]) {
  const name = nameOf(shown, grain)
  return {
    title: name,
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
function nameOf(shown: readonly MetricName[], grain: HistoryGrain): string {
  const labels = shown.map((metric) => metricLabels[metric])
  const last = labels.at(-1) ?? ''
  return `${labels.length > 1 ? `${labels.slice(0, -1).join(', ')} and ` : ''}${last} by ${grain}`
}

/** A point where it lies in the chart: one of the compared period under its counterpart. */
function placed(
  metric: MetricName,
  grain: HistoryGrain,
  { start, end, figures, complete }: HistoryPoint,
  under: HistoryPoint,
): ChartSeries['points'][number] {
  return {
    date: under.start,
    // No real position is 0.
    value: figures === null || (metric === 'position' && figures.position === 0) ? null : figures[metric],
    complete,
    ...(grain !== 'day' && { end: under.end }),
    ...(under.start !== start && { of: { start, end } }),
  }
}

function extremesOf(metric: MetricName, points: readonly HistoryPoint[]): string {
  const values = points.flatMap(({ figures }) =>
    figures === null || (metric === 'position' && figures.position === 0) ? [] : figures[metric],
  )
  if (values.length === 0) return `no ${metricLabels[metric]}`
  const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => formatMetric(metric, value))
  return `${metricLabels[metric]} from ${least} to ${most}`
}

/** What the chart shows, in words: which days, against which, and why none where somebody wants some. */
export function shownDays({ period, compared, completeThrough }: History, wantsComparison: boolean): string {
  const days = `${formatPeriod(period, true)}${compared === null ? '' : ` vs ${formatPeriod(compared, true)}`}`
  const through = period.end === completeThrough ? `, complete through ${formatDay(completeThrough)}` : ''
  return `${days}${through}.${wantsComparison && compared === null ? ' Not every day to compare with is stored.' : ''}`
}

/** The open alerts about these metrics: those of a day are one mark, where the days that they judged end. */
export function alertMarks(alerts: readonly Alert[], { start, end }: Period, shown: readonly MetricName[]): ChartMark[] {
  const byDay = new Map<string, Alert[]>()
  for (const alert of alerts) {
    const day = alert.current?.end ?? alert.timestamp.slice(0, 10)
    if (alert.entity.kind === 'connection' || !shown.includes(alert.type) || day < start || day > end) continue
    byDay.set(day, [...(byDay.get(day) ?? []), alert])
  }
  return [...byDay].map(([date, [first, ...others]]) => ({
    date,
    label: `Alert: ${first?.title ?? ''}${others.length === 0 ? '' : ` and ${others.length} more`}`,
    kind: 'Open alert',
    Icon: BellRing,
  }))
}
