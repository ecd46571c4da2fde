import type { IsoDate } from '../../../contract/common.ts'
import { addDays, countBefore } from '../../../core/analytics/days.ts'
import { formatDay, formatPeriod } from '../../lib/dates.ts'
import { formatMetric } from '../../lib/format.ts'
import { metricLabels, type MetricName } from '../../lib/metric.ts'
import type { ChartRange, ChartSeries, DayPoint } from './chart-series.ts'

/**
 * A chart's description of one day: for each line, its own day there, its figure in words, and the figure itself. `label` is null if it
 * would only repeat the dates.
 */
export type ReadingLine = { label: string | null; day: string; text: string; value: number | null; muted: boolean; metric?: MetricName }
/** For a day, or for the week or month from `date` to `end`. */
export type Reading = { date: IsoDate; end?: IsoDate; day: string; lines: readonly ReadingLine[] }

/** The figures at a day of the axis. */
export function readingAt(metric: MetricName, series: readonly ChartSeries[], date: IsoDate, range?: ChartRange): Reading {
  const at = pointAt(series[0]?.points ?? [], date)
  const lines = series.map(({ label, isDays = false, points, muted = false, shift = 0, metric: own }) => {
    const day = addDays(date, -shift)
    const point = pointAt(points, day)
    const text = `${pointText(own ?? metric, point)}${point && isPreliminary(point) ? ` (${unfinished(point)})` : ''}`
    return {
      label: own === undefined ? (isDays ? null : label) : metricLabels[own],
      day: formatPeriod(point?.of ?? { start: point?.date ?? day, end: point?.end ?? day }, true),
      text,
      value: point?.value ?? null,
      muted,
      ...(own !== undefined && { metric: own }),
    }
  })
  const expected = range && {
    label: range.label,
    day: formatDay(date, true),
    text: rangeText(
      metric,
      range.days.find((each) => each.date === date),
    ),
    value: null,
    muted: range.metric === undefined,
    ...(range.metric !== undefined && { metric: range.metric }),
  }
  const spoken = expected ? [...lines, expected] : lines
  if (at?.end === undefined) return { date, day: weekdayAndDay(date), lines: spoken }
  return { date: at.date, end: at.end, day: formatPeriod({ start: at.date, end: at.end }, true), lines: spoken }
}

/** A day's point, from sorted points. */
export function pointAt(points: readonly DayPoint[], date: IsoDate): DayPoint | undefined {
  const found = points[countBefore(points, addDays(date, 1)) - 1]
  return found !== undefined && date <= (found.end ?? found.date) ? found : undefined
}

/** `120 (90–160)`; `4.10% (3.40%–4.90%)`. */
function rangeText(metric: MetricName, day: ChartRange['days'][number] | undefined): string {
  if (day === undefined) return 'unknown'
  const isMean = metric === 'ctr' || metric === 'position'
  const figure = (value: number) => formatMetric(metric, isMean ? value : Math.round(value))
  return `${figure(day.expected)} (${figure(day.low)}–${figure(day.high)})`
}

/** The term for a figure that doesn't cover all of its period: a day's may still be changed by Google. */
export const unfinished = ({ end }: Pick<DayPoint, 'end'>): string => (end === undefined ? 'preliminary' : 'incomplete')

/** Whether it shows a figure that Google may still change. */
export const isPreliminary = ({ value, complete }: DayPoint): boolean => value !== null && !complete

/** A figure, or why there is none: nothing was shown that day, or nothing is known about it. */
export function pointText(metric: MetricName, point: DayPoint | undefined): string {
  if (point === undefined) return 'no data'
  if (point.value === null) return point.complete ? 'no impressions' : 'no data'
  return formatMetric(metric, point.value)
}

/** Same as one sentence, for screen readers. */
export function spokenReading(metric: MetricName, { day, lines: [first, ...others] }: Reading): string {
  const rest = others.map(({ label, day: own, text }) => `${label === null ? own : `${label} ${own}`}: ${text}`)
  return [`${day}: ${metricLabels[first?.metric ?? metric]} ${first?.text ?? 'no data'}`, ...rest].join('; ')
}

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' })

/** `Mon 9 Mar 2026`. */
const weekdayAndDay = (date: IsoDate): string => `${weekday.format(new Date(`${date}T00:00:00Z`))} ${formatDay(date, true)}`
