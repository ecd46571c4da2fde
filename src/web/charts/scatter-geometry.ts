import type { MetricName } from '../lib/metric.ts'
import { formatTick, valueAxis } from './value-axis.ts'

export type ScatterPoint = {
  /** Unique among the points. */
  name: string
  x: number
  y: number
  href?: string
}
export type PlacedPoint = ScatterPoint & { left: number; top: number }

/** Height in pixels, the same at every width, so that resizing the window moves nothing. */
export const scatterHeight = 360
const nameRow = 24
const tickRow = 22
const nameRoom = 16
const character = 6.6
/** Room between the outermost points and the edges, so that no point is clipped. */
const margin = 8

export type ScatterLayout = {
  box: { left: number; top: number; width: number; height: number }
  /** From the lowest to the topmost; at the same height, from the left. */
  points: readonly PlacedPoint[]
  xTicks: readonly { value: number; at: number; label: string }[]
  yTicks: readonly { value: number; at: number; label: string }[]
  tickY: number
}

/** Places points by two of their figures; null without room. For positions, 1 is at the top. */
export function scatterLayout(
  points: readonly ScatterPoint[],
  { x: xMetric, y: yMetric }: { x: MetricName; y: MetricName },
  width: number,
): ScatterLayout | null {
  if (width === 0) return null
  const xAxis = valueAxis(
    xMetric,
    points.map(({ x }) => x),
  )
  const yAxis = valueAxis(
    yMetric,
    points.map(({ y }) => y),
  )
  const yLabels = yAxis.ticks.map((value) => formatTick(yMetric, value))
  const left = Math.max(...yLabels.map(({ length }) => length)) * character + 12
  const box = { left, top: nameRow, width: Math.max(1, width - left - 10), height: scatterHeight - nameRow - tickRow - nameRoom }
  const across = (value: number) => box.left + margin + ((value - xAxis.bottom) / (xAxis.top - xAxis.bottom)) * (box.width - 2 * margin)
  const down = (value: number) => box.top + margin + ((value - yAxis.top) / (yAxis.bottom - yAxis.top)) * (box.height - 2 * margin)
  return {
    box,
    points: points
      .map((point) => ({ ...point, left: across(point.x), top: down(point.y) }))
      .toSorted((a, b) => b.top - a.top || a.left - b.left),
    xTicks: xAxis.ticks.map((value) => ({ value, at: across(value), label: formatTick(xMetric, value) })),
    yTicks: yAxis.ticks.map((value, index) => ({ value, at: down(value), label: yLabels[index] ?? '' })),
    tickY: box.top + box.height + 16,
  }
}

/** The index of the nearest point to a place, both in pixels; null if none is within reach. */
export function nearestPoint(points: readonly PlacedPoint[], left: number, top: number, reach: number): number | null {
  let best: number | null = null
  let bestDistance = reach
  for (const [index, point] of points.entries()) {
    const distance = Math.hypot(point.left - left, point.top - top)
    if (distance <= bestDistance) [best, bestDistance] = [index, distance]
  }
  return best
}
