import { BellRing, CircleCheck } from 'lucide-react'
import type { AlertReport } from '../../../contract/alerts/alerts.ts'
import type { Period } from '../../../contract/metrics.ts'
import { addDays, pacificDay } from '../../../core/analytics/days.ts'
import type { ChartBand, ChartMark, ChartRange, ChartSeries } from '../../charts/time-series/chart-series.ts'
import { daysFrom, formatPeriod } from '../../lib/dates.ts'
import { formatMetric } from '../../lib/format.ts'
import { metricLabels } from '../../lib/metric.ts'
import { lifeOf } from './copy.ts'

export type ReportChart = {
  title: string
  summary: string
  series: ChartSeries[]
  bands: ChartBand[]
  range?: ChartRange
  marks: ChartMark[]
}

/** A report's chart; null for an alert that isn't about figures. */
export function reportChart(report: AlertReport): ReportChart | null {
  const { type, series, previousSeries, current, previous, hours, expectation, unusual } = report
  const [first] = series
  if (first === undefined || current === null || previous === null) return null
  const [earlier] = previousSeries
  // Aligns another year with this one: by as many days as the two series are apart.
  const shift = earlier === undefined ? 0 : daysFrom(earlier.date, first.date)
  const moved = { start: addDays(previous.start, shift), end: addDays(previous.end, shift) }
  const year = isOtherYear(current, previous)
  const isOneDay = hours !== undefined && current.start === current.end
  return {
    title: `${metricLabels[type]} by day`,
    summary: summaryOf(report, current, previous),
    series: [
      { label: earlier === undefined ? metricLabels[type] : 'Current', points: series },
      ...(earlier === undefined ? [] : [{ label: 'A year earlier', points: previousSeries, muted: true, shift }]),
    ],
    ...(expectation && { range: { label: 'Expected', days: expectation.days } }),
    bands: [
      // A day evaluated by hours is compared with single days, weeks apart, and an unusual change with what was expected.
      ...(isOneDay || (expectation && unusual) ? [] : [{ ...moved, label: formatPeriod(previous, year), tone: 'previous' as const }]),
      { ...current, label: formatPeriod(current, year), tone: 'current' },
    ],
    marks: lifeOf(report, '').flatMap(({ kind, at, title }): ChartMark[] => {
      const date = pacificDay(new Date(at))
      if (kind === 'opened') return [{ date, label: title, kind: 'Alert opened', Icon: BellRing }]
      return kind === 'ended' ? [{ date, label: title, kind: 'Alert ended', Icon: CircleCheck }] : []
    }),
  }
}

export const isOtherYear = (current: Period, previous: Period): boolean => current.end.slice(0, 4) !== previous.start.slice(0, 4)

function summaryOf({ type, series, currentValue, previousValue }: AlertReport, current: Period, previous: Period): string {
  const figure = (value: number | null) => (value === null ? 'none' : formatMetric(type, value))
  const days = { start: series[0]?.date ?? current.start, end: series.at(-1)?.date ?? current.end }
  const compared = `${figure(currentValue)} for ${formatPeriod(current, true)} vs ${figure(previousValue)} for ${formatPeriod(previous, true)}`
  return `${metricLabels[type]} by day, ${formatPeriod(days, true)}: ${compared}.`
}
