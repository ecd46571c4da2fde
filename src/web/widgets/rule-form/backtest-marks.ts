import { daysFrom } from '../../lib/dates.ts'
import type { Backtested } from './copy.ts'

/**
 * A day with alerts, or with silenced changes: `x` from 0 to 1 between the first and last evaluated day, `height` up to 1 for the day with
 * the most.
 */
export type BacktestMark = Backtested['days'][number] & { x: number; height: number }

/** A day with few alerts must stay visible next to one with many. */
const lowest = 0.4

export function backtestMarksOf({ from, through, days }: Backtested): BacktestMark[] {
  const length = daysFrom(from, through)
  const most = Math.max(1, ...days.map(({ alerts }) => alerts))
  return days.map((day) => ({
    ...day,
    x: length === 0 ? 0.5 : daysFrom(from, day.date) / length,
    height: lowest + (1 - lowest) * (day.alerts / most),
  }))
}

/** The index of the nearest mark to `x`; null without marks. */
export function nearestMark(marks: readonly BacktestMark[], x: number): number | null {
  const distances = marks.map((mark) => Math.abs(mark.x - x))
  const nearest = distances.indexOf(Math.min(...distances))
  return nearest < 0 ? null : nearest
}
