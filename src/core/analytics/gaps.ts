import type { IsoDate } from '../../contract/common.ts'
import type { Period } from '../../contract/metrics.ts'
import { addDays, daysBetween, eachDay } from './days.ts'

/** The days of a period that aren't stored, as runs, oldest first. */
export function gapsIn({ start, end }: Period, stored: ReadonlySet<IsoDate>): Period[] {
  const gaps: Period[] = []
  for (const day of eachDay(start, end)) {
    if (stored.has(day)) continue
    const last = gaps.at(-1)
    if (last?.end === addDays(day, -1)) last.end = day
    else gaps.push({ start: day, end: day })
  }
  return gaps
}

/** The first day of a period outside its gaps; null if there is none. */
export function firstStored({ start, end }: Period, [first]: readonly Period[]): IsoDate | null {
  if (first?.start !== start) return start
  return first.end < end ? addDays(first.end, 1) : null
}

/** How many days the gaps have together. */
export const daysMissing = (gaps: readonly Period[]): number => gaps.reduce((sum, { start, end }) => sum + daysBetween(start, end), 0)
