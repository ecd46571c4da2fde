import { daysBetween } from '../../lib/dates.ts'
import type { Trial } from './backtest-words.ts'

/** A day with alerts, or with changes that were silenced: `x` from 0 to 1 from the first judged day to the last, `height` up to 1 for the day with the most. */
export type TrialMark = Trial['days'][number] & { x: number; height: number }

/** A day with few alerts beside one with many must still be seen. */
const lowest = 0.4

export function marksOf({ from, through, days }: Trial): TrialMark[] {
  const length = daysBetween(from, through)
  const most = Math.max(1, ...days.map(({ alerts }) => alerts))
  return days.map((day) => ({
    ...day,
    x: length === 0 ? 0.5 : daysBetween(from, day.date) / length,
    height: lowest + (1 - lowest) * (day.alerts / most),
  }))
}

/** The index of the mark nearest to `x`; null without marks. */
export function nearestMark(marks: readonly TrialMark[], x: number): number | null {
  const distances = marks.map((mark) => Math.abs(mark.x - x))
  const nearest = distances.indexOf(Math.min(...distances))
  return nearest < 0 ? null : nearest
}
