import type { IsoDate } from '../../../contract/common.ts'
import { dayNumber, fromDayNumber } from '../../../core/analytics/days.ts'
import type { ChartMark, ChartSeries, DayPoint } from './chart-series.ts'
import type { ValueAxis } from '../value-axis.ts'

/** Where a chart is drawn, in pixels, and the days and values that lie in there. Each day has a slot of the same width. */
export type Frame = { left: number; top: number; width: number; height: number; first: IsoDate; days: number; axis: ValueAxis }

/** The days of all series, as they lie on the axis; null when there are none. */
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

/** The left edge of a day's slot; beyond the last one, the right edge of that. */
export const edgeOf = ({ left, width, first, days }: Frame, day: number): number => left + ((day - dayNumber(first)) / days) * width

/** The middle of a day's slot. */
export const xOf = (frame: Frame, date: IsoDate): number => edgeOf(frame, dayNumber(date) + 0.5)

/** The middle of some days. */
export const middleOf = (frame: Frame, { date, end = date }: { date: IsoDate; end?: IsoDate }): number =>
  edgeOf(frame, (dayNumber(date) + dayNumber(end) + 1) / 2)

/** Room above the topmost value, so that no line hides in the upper edge. */
const headroom = 8

export const yOf = ({ top, height, axis }: Frame, value: number): number =>
  top + headroom + (height - headroom) * ((value - axis.top) / (axis.bottom - axis.top))

/** The days between two of them, both included, as far as they are in the frame; null when none is. */
export function bandOf(frame: Frame, { start, end }: { start: IsoDate; end: IsoDate }): { x: number; width: number } | null {
  const firstDay = dayNumber(frame.first)
  const from = Math.max(dayNumber(start), firstDay)
  const to = Math.min(dayNumber(end), firstDay + frame.days - 1)
  if (to < from) return null
  const x = edgeOf(frame, from)
  return { x, width: edgeOf(frame, to + 1) - x }
}

/** The day whose slot lies at a place from 0 (left) to 1. */
export function dayAt({ first, days }: Frame, fraction: number): IsoDate {
  const slot = Math.min(days - 1, Math.max(0, Math.floor(fraction * days)))
  return fromDayNumber(dayNumber(first) + slot)
}

export type Known = { date: IsoDate; end?: IsoDate; value: number }
export type Run = { preliminary: boolean; points: readonly Known[] }

/**
 * Pieces of a line that are drawn in one: it breaks where a day has no value, and goes on as preliminary from the last
 * complete day before an incomplete one.
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
 * The points of a line that are enough to draw it: where there are more of them than pixels, of each pixel the first, the
 * least, the greatest and the last, so that no peak is lost.
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

/** Marks in the frame, those that would lie on top of each other as one, at the place of the first. */
export function groupMarks(frame: Frame, marks: readonly ChartMark[], apart: number): MarkGroup[] {
  const groups: { x: number; marks: ChartMark[] }[] = []
  for (const mark of marks.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))) {
    if (bandOf(frame, { start: mark.date, end: mark.date }) === null) continue
    const x = xOf(frame, mark.date)
    const last = groups.at(-1)
    if (last && x - last.x < apart) last.marks.push(mark)
    else groups.push({ x, marks: [mark] })
  }
  return groups
}

/** Keeps apart what stands one below the other, each as near to where it belongs as can be; in the order given. */
export function spread(wanted: readonly number[], apart: number, from: number, to: number): number[] {
  const order = wanted.map((at, index) => ({ at, index })).toSorted((a, b) => a.at - b.at)
  let least = from
  const down = order.map(({ at, index }) => {
    const placed = Math.max(at, least)
    least = placed + apart
    return { index, at: placed }
  })
  let most = to
  for (const each of down.toReversed()) {
    each.at = Math.min(each.at, most)
    most = each.at - apart
  }
  return down.toSorted((a, b) => a.index - b.index).map(({ at }) => at)
}
