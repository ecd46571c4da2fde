import type { LucideIcon } from 'lucide-react'
import type { IsoDate } from '../../../contract/common.ts'
import { metricLabels, type MetricName } from '../../lib/metric.ts'

/** A day's figure. Null is missing, never zero; `complete` tells a day that has none from one that is not known yet. */
export type DayPoint = {
  date: IsoDate
  value: number | null
  complete: boolean
  /** Of a week or a month: its last day. */
  end?: IsoDate
  /** The days it is really of, where it lies under those of another time. */
  of?: { start: IsoDate; end: IsoDate }
}

/** A line; the first one of a chart is what it is about. Its days follow each other, oldest first. */
export type ChartSeries = {
  label: string
  /** The label is the days of the line: what is said of one day then names that day alone. */
  isDays?: boolean
  points: readonly DayPoint[]
  /** In a chart of several metrics, which one it is of: each has its own scale and color. Its label is then its days. */
  metric?: MetricName
  /** Something to compare with: drawn dashed and muted. */
  muted?: boolean
  /** Days by which it is moved to the right, so that another time lies under this one. */
  shift?: number
}

/** What a line is called where it stands among others. */
export const nameOf = ({ label, metric }: ChartSeries): string => (metric === undefined ? label : `${metricLabels[metric]}, ${label}`)

/** A range of values by day, drawn as an area behind the lines. */
export type ChartRange = { label: string; days: readonly { date: IsoDate; expected: number; low: number; high: number }[] }

/** A time that is shaded, as it lies on the axis. */
export type ChartBand = { start: IsoDate; end: IsoDate; label: string; tone: 'current' | 'previous' }

/** Something that happened on a day; no two marks of a chart have the same day and label. */
export type ChartMark = {
  date: IsoDate
  label: string
  /** What it is, for a chart's key: `Note`. */
  kind?: string
  Icon: LucideIcon
  /** Where it lasted: `date` is then the first of its days that the chart shows; null: it still goes on. */
  span?: { start: IsoDate; end: IsoDate | null }
}
