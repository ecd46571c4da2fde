import type { LucideIcon } from 'lucide-react'
import type { ExpectedDay } from '../../../contract/figures.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { metricLabels, type MetricName } from '../../lib/metric.ts'

/** A day's figure. Null means missing, never zero; `complete` distinguishes a day without one from one that isn't known yet. */
export type DayPoint = {
  date: IsoDate
  value: number | null
  complete: boolean
  /** For a week or month: its last day. */
  end?: IsoDate
  /** Its real days, if it is drawn below those of another period. */
  of?: { start: IsoDate; end: IsoDate }
}

/** A line; a chart's first one is its subject. Its days are consecutive, oldest first. */
export type ChartSeries = {
  label: string
  /** The label is the line's dates: descriptions of one day then use just that day. */
  isDays?: boolean
  points: readonly DayPoint[]
  /** In a chart of several metrics, the line's metric: each has its own scale and color. Its label is then its dates. */
  metric?: MetricName
  /** A comparison: drawn dashed and muted. */
  muted?: boolean
  /** Days it is moved to the right to align another period with this one. */
  shift?: number
}

const nameOf = ({ label, metric }: ChartSeries): string => (metric === undefined ? label : `${metricLabels[metric]}, ${label}`)

/** The lines' names, each of them different: days may also be compared with themselves. */
export const seriesNames = (series: readonly ChartSeries[]): string[] => distinct(series, nameOf)

/** A legend's dates, each once, whatever its metrics. */
export function datesOf(series: readonly ChartSeries[]): { label: string; muted: boolean }[] {
  const dates = new Map(series.map((each) => [`${each.muted ?? false} ${each.label}`, each]))
  const lines = [...dates.values()]
  const labels = distinct(lines, ({ label }) => label)
  return lines.map(({ muted = false }, at) => ({ label: labels[at] ?? '', muted }))
}

const distinct = (series: readonly ChartSeries[], named: (each: ChartSeries) => string): string[] =>
  series.map((each) => {
    const isTwice = series.some((other) => other !== each && named(other) === named(each))
    return each.muted && isTwice ? `${named(each)} (compared)` : named(each)
  })

/** A range of daily values, drawn as an area behind the lines. */
export type ChartRange = {
  label: string
  /** In a chart of several metrics: whose values these are. */
  metric?: MetricName
  days: readonly ExpectedDay[]
}

/** A shaded period on the axis. */
export type ChartBand = { start: IsoDate; end: IsoDate; label: string; tone: 'current' | 'previous' }

/** An event on a day; no two marks of a chart share day and label. */
export type ChartMark = {
  date: IsoDate
  label: string
  /** Its kind, for the chart's legend: `Note`. */
  kind: string
  Icon: LucideIcon
  /** For a longer event: `date` is then the first of its days within the chart; null: it is ongoing. */
  span?: { start: IsoDate; end: IsoDate | null }
}
