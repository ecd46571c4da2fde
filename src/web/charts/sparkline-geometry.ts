import type { IsoDate } from '../../contract/common.ts'
import { daysFrom } from '../lib/dates.ts'

export type Point = { date: IsoDate; value: number }
/** `x` and `y` range from 0 to 1, from the left and from the top. */
export type Placed = Point & { x: number; y: number }

/** Places points by date, so that a day without data leaves a gap. `inverted`: the smallest value at the top. */
export function placePoints(points: readonly Point[], inverted: boolean): Placed[] {
  const first = points[0]
  const last = points.at(-1)
  if (first === undefined || last === undefined) return []
  const values = points.map((point) => point.value)
  const low = Math.min(...values)
  const span = Math.max(...values) - low
  return points.map((point) => {
    const height = span === 0 ? 0.5 : (point.value - low) / span
    return {
      ...point,
      x: placeOf(point.date, first, last),
      y: inverted ? height : 1 - height,
    }
  })
}

/** A day's place between two others, from 0 to 1; in the middle if they are the same. */
export function placeOf(date: IsoDate, first: { date: IsoDate }, last: { date: IsoDate }): number {
  const days = daysFrom(first.date, last.date)
  return days === 0 ? 0.5 : daysFrom(first.date, date) / days
}

/** Runs of consecutive days: the line breaks at missing days. */
export function splitAtGaps(placed: readonly Placed[]): Placed[][] {
  const runs: Placed[][] = []
  for (const point of placed) {
    const run = runs.at(-1)
    const before = run?.at(-1)
    if (run !== undefined && before !== undefined && daysFrom(before.date, point.date) === 1) run.push(point)
    else runs.push([point])
  }
  return runs
}

/** The index of the point nearest to `x` (0 to 1), or null without points. */
export function nearestIndex(placed: readonly Placed[], x: number): number | null {
  let best: number | null = null
  let bestDistance = Infinity
  for (const [index, point] of placed.entries()) {
    const distance = Math.abs(point.x - x)
    if (distance < bestDistance) [best, bestDistance] = [index, distance]
  }
  return best
}
