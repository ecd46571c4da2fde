import type { IsoDate } from '../../../contract/common.ts'
import { dayNumber, fromDayNumber } from '../../../core/analytics/days.ts'
import type { ChartMark, ChartSeries, DayPoint } from './chart-series.ts'
import type { ValueAxis } from '../value-axis.ts'

/** The chart's drawing area in pixels, with the days and values in it. Each day has a slot of the same width. */
export type Frame = { left: number; top: number; width: number; height: number; first: IsoDate; days: number; axis: ValueAxis }

/** The days of all series, as placed on the axis; null without any. */
export function daysOf(series: readonly ChartSeries[]): { first: IsoDate; days: number } | null {
  let [first, last] = [Infinity, -Infinity]
  for (const { points, shift = 0 } of series) {
    for (const { date, end = date } of points) {
      first = Math.min(first, dayNumber(date) + shift)
      last = Math.max(last, dayNumber(end) + shift)
    }
  }
  return last < first ? null : { first: fromDayNumber(first), days: last - first + 1 }
}

/** The left edge of a day's slot; beyond the last one, its right edge. */
export const edgeOf = ({ left, width, first, days }: Frame, day: number): number => left + ((day - dayNumber(first)) / days) * width

/** The middle of a day's slot. */
export const xOf = (frame: Frame, date: IsoDate): number => edgeOf(frame, dayNumber(date) + 0.5)

/** The middle of several days. */
export const middleOf = (frame: Frame, { date, end = date }: { date: IsoDate; end?: IsoDate }): number =>
  edgeOf(frame, (dayNumber(date) + dayNumber(end) + 1) / 2)

/** Room above the topmost value, so that no line hides at the upper edge. */
const headroom = 8

export const yOf = ({ top, height, axis }: Frame, value: number): number =>
  top + headroom + (height - headroom) * ((value - axis.top) / (axis.bottom - axis.top))

/** The days between two of them, both included, clipped to the frame; null if none is left. */
export function bandOf(frame: Frame, { start, end }: { start: IsoDate; end: IsoDate }): { x: number; width: number } | null {
  const firstDay = dayNumber(frame.first)
  const from = Math.max(dayNumber(start), firstDay)
  const to = Math.min(dayNumber(end), firstDay + frame.days - 1)
  if (to < from) return null
  const x = edgeOf(frame, from)
  return { x, width: edgeOf(frame, to + 1) - x }
}

/** The day whose slot is at a place from 0 (left) to 1. */
export function dayAt({ first, days }: Frame, fraction: number): IsoDate {
  const slot = Math.min(days - 1, Math.max(0, Math.floor(fraction * days)))
  return fromDayNumber(dayNumber(first) + slot)
}

export type Known = { date: IsoDate; end?: IsoDate; value: number }
export type Run = { preliminary: boolean; points: readonly Known[] }

/**
 * Continuously drawn pieces of a line: it breaks at days without a value, and becomes preliminary from the last complete day before an
 * incomplete one.
 */
export function runsOf(points: readonly DayPoint[]): Run[] {
  const runs: { preliminary: boolean; points: Known[] }[] = []
  let before: { known: Known; complete: boolean } | null = null
  for (const { date, end, value, complete } of points) {
    if (value === null) {
      before = null
      continue
    }
    const run = runs.at(-1)
    const known: Known = { date, value, ...(end !== undefined && { end }) }
    const follows = before !== null && dayNumber(date) === dayNumber(before.known.end ?? before.known.date) + 1
    const preliminary = follows ? !complete || before?.complete === false : !complete
    if (run && follows && run.preliminary === preliminary) run.points.push(known)
    else runs.push({ preliminary, points: follows && before ? [before.known, known] : [known] })
    before = { known, complete }
  }
  return runs
}

/**
 * The points that suffice to draw a line: with more points than pixels, each pixel's first, minimum, maximum and last, so that no peak is
 * lost.
 */
export function drawnOf<Point extends { x: number; y: number }>(points: readonly Point[]): readonly Point[] {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || points.length <= last.x - first.x) return points
  const columns = new Map<number, Point[]>()
  for (const point of points) {
    const column = Math.floor(point.x)
    const found = columns.get(column)
    if (found) found.push(point)
    else columns.set(column, [point])
  }
  return [...columns.values()].flatMap((column) => {
    const least = column.reduce((a, b) => (b.y < a.y ? b : a))
    const greatest = column.reduce((a, b) => (b.y > a.y ? b : a))
    const kept = new Set([column[0], least, greatest, column.at(-1)])
    return column.filter((point) => kept.has(point))
  })
}

export type MarkGroup = { x: number; marks: readonly ChartMark[] }

/** Marks in the frame; overlapping ones are merged at the first one's place. */
export function groupMarks(frame: Frame, marks: readonly ChartMark[], distance: number): MarkGroup[] {
  const groups: { x: number; marks: ChartMark[] }[] = []
  for (const mark of marks.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))) {
    if (bandOf(frame, { start: mark.date, end: mark.date }) === null) continue
    const x = xOf(frame, mark.date)
    const last = groups.at(-1)
    if (last && x - last.x < distance) last.marks.push(mark)
    else groups.push({ x, marks: [mark] })
  }
  return groups
}

/** Spaces items out vertically, each as close to its place as possible, in the given order. */
export function spread(wanted: readonly number[], distance: number, from: number, to: number): number[] {
  const order = wanted.map((at, index) => ({ at, index })).toSorted((a, b) => a.at - b.at)
  let least = from
  const down = order.map(({ at, index }) => {
    const placed = Math.max(at, least)
    least = placed + distance
    return { index, at: placed }
  })
  let most = to
  for (const each of down.toReversed()) {
    each.at = Math.min(each.at, most)
    most = each.at - distance
  }
  return down.toSorted((a, b) => a.index - b.index).map(({ at }) => at)
}
