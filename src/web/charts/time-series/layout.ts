import type { IsoDate } from '../../../contract/common.ts'
import { addDays } from '../../../core/analytics/days.ts'
import type { MetricName } from '../../lib/metric.ts'
import type { ChartBand, ChartRange, ChartSeries } from './chart-series.ts'
import { type DateTick, dateTicks } from '../date-axis.ts'
import { bandOf, daysOf, type Frame, spread, xOf, yOf } from './geometry.ts'
import { formatTick, type ValueAxis, valueAxis, withEqualSteps } from '../value-axis.ts'

/** Heights in pixels, the same at every width, so that resizing the window moves nothing. A plot is higher if its chart is. */
const plotHeight = 220
const labelRow = 20
const marksLane = 40
const dateRow = 22

/** Width from which a line's name is next to its end; narrower charts have a key above. */
export const directLabelsFrom = 640
const character = 6.6
const dateRoom = 60

export type Layout = {
  frame: Frame
  /** One per series: the same place, on its own metric's scale. */
  frames: readonly Frame[]
  /** The metrics with a scale on the left and, if there are more, on the right. */
  metrics: readonly MetricName[]
  height: number
  bands: readonly { band: ChartBand; x: number; width: number; labelX: number; labelY: number; anchor: 'start' | 'end' }[]
  valueTicks: readonly { value: number; y: number; label: string }[]
  rightTicks: readonly { value: number; y: number; label: string }[]
  dateTicks: readonly (DateTick & { x: number })[]
  dateY: number
  /** The vertical center of the marks' icons. */
  marksY: number
  /** Names next to the lines' ends; empty if a key has them. */
  ends: readonly { label: string; muted: boolean; y: number }[]
}

export type LayoutInput = {
  metric: MetricName
  series: readonly ChartSeries[]
  bands: readonly ChartBand[]
  range?: ChartRange | undefined
  hasMarks: boolean
  width: number
  /** At least `heightOf`. */
  height: number
}

/** The least height of a chart with this many bands, with or without marks. */
export const heightOf = (bands: number, hasMarks: boolean): number => bands * labelRow + plotHeight + (hasMarks ? marksLane : 0) + dateRow

/** The layout of a chart; null without days or room. */
export function layoutOf({ metric, series, bands, range, hasMarks, width, height }: LayoutInput): Layout | null {
  const days = daysOf(series)
  if (days === null || width === 0) return null
  const metrics = [...new Set(series.map((each) => each.metric ?? metric))]
  const axes = withEqualSteps(
    metrics.map((each) =>
      valueAxis(each, [
        ...series.flatMap((line) => ((line.metric ?? metric) === each ? line.points.flatMap(({ value }) => value ?? []) : [])),
        ...(range !== undefined && (range.metric ?? metric) === each ? range.days.map(({ high }) => high) : []),
      ]),
    ),
  )
  const [axis = valueAxis(metric, []), rightAxis] = axes
  const [first = metric, second = metric] = metrics
  const left = widest(axis.ticks.map((value) => formatTick(first, value))) + 10
  const hasEnds = series.length > 1 && series[0]?.metric === undefined && width >= directLabelsFrom
  const right = rightAxis
    ? widest(rightAxis.ticks.map((value) => formatTick(second, value))) + 10
    : hasEnds
      ? widest(series.map(({ label }) => label)) + 12
      : 6
  const top = bands.length * labelRow
  const plot = plotHeight + height - heightOf(bands.length, hasMarks)
  const frame: Frame = { ...days, left, top, width: Math.max(1, width - left - right), height: plot, axis }
  const last = addDays(days.first, days.days - 1)
  const bottom = top + plot
  const ticksFor = (of: ValueAxis, name: MetricName) =>
    of.ticks.map((value) => ({ value, y: yOf({ ...frame, axis: of }, value), label: formatTick(name, value) }))
  return {
    frame,
    frames: series.map((line) => ({ ...frame, axis: axes[metrics.indexOf(line.metric ?? metric)] ?? axis })),
    metrics,
    height,
    bands: placedBands(frame, bands),
    valueTicks: ticksFor(axis, first),
    rightTicks: rightAxis ? ticksFor(rightAxis, second) : [],
    dateTicks: ticksOf(frame, last),
    dateY: bottom + (hasMarks ? marksLane : 0) + 15,
    marksY: bottom + marksLane / 2,
    ends: hasEnds ? endsOf(frame, series) : [],
  }
}

function placedBands(frame: Frame, bands: readonly ChartBand[]): Layout['bands'] {
  const within = bands.flatMap((band) => {
    const place = bandOf(frame, band)
    return place === null ? [] : [{ band, ...place, textWidth: band.label.length * character }]
  })
  const labels = placeBandLabels(within, frame.left, frame.left + frame.width)
  return within.map(({ band, x, width }, index) => {
    const { x: labelX, row, anchor } = labels[index] ?? { x, row: 0, anchor: 'start' as const }
    return { band, x, width, labelX, labelY: frame.top - 7 - row * labelRow, anchor }
  })
}

function ticksOf(frame: Frame, last: IsoDate): Layout['dateTicks'] {
  const ticks = dateTicks(frame.first, last, Math.max(1, Math.floor(frame.width / dateRoom)))
  return ticks.map((tick) => {
    // A label at the very edge moves inward by the part that would stick out.
    const half = (tick.label.length * character) / 2
    return { ...tick, x: Math.max(frame.left + half, Math.min(xOf(frame, tick.date), frame.left + frame.width - half)) }
  })
}

function endsOf(frame: Frame, series: readonly ChartSeries[]): Layout['ends'] {
  const named = series.flatMap(({ label, muted = false, points }) => {
    const value = points.findLast((point) => point.value !== null)?.value
    return value === undefined || value === null ? [] : [{ label, muted, y: yOf(frame, value) }]
  })
  const places = spread(
    named.map(({ y }) => y),
    16,
    frame.top + 6,
    frame.top + frame.height - 6,
  )
  return named.map((end, index) => ({ ...end, y: places[index] ?? end.y }))
}

const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => text.length * character))

type LabelledBand = { x: number; width: number; textWidth: number }
/** `x` is the start or the end of the text. */
type PlacedLabel = { x: number; anchor: 'start' | 'end'; row: number }

const labelGap = 8
/** Labels of adjacent bands must not touch. */
const inset = labelGap / 2

/**
 * Where the bands' labels go, within `from` and `to`, and in which row: 0 is the one next to the chart. A label starts or ends with its
 * band and extends to the side with more room; labels that would touch get different rows.
 */
export function placeBandLabels(bands: readonly LabelledBand[], from: number, to: number): PlacedLabel[] {
  const taken: { row: number; start: number; end: number }[] = []
  return bands.map(({ x, width, textWidth }) => {
    const start = Math.max(from, Math.min(x + inset, to - textWidth))
    const end = Math.min(to, Math.max(x + width - inset, from + textWidth))
    const toTheRight = { x: start, anchor: 'start' as const, start, end: start + textWidth }
    const toTheLeft = { x: end, anchor: 'end' as const, start: end - textWidth, end }
    const wanted = x - from < to - (x + width) ? [toTheRight, toTheLeft] : [toTheLeft, toTheRight]
    for (let row = 0; ; row += 1) {
      const free = wanted.find((at) =>
        taken.every((other) => other.row !== row || at.end + labelGap <= other.start || at.start >= other.end + labelGap),
      )
      if (free === undefined) continue
      taken.push({ row, start: free.start, end: free.end })
      return { x: free.x, anchor: free.anchor, row }
    }
  })
}
