import type { IsoDate } from '../../contract/common.ts'
import { dayNumber } from '../analytics/days.ts'

/** Daily counts of one figure, day by day from `start`; null for a day that is not known, which is no zero. */
export type DailyCounts = { start: IsoDate; counts: readonly (number | null)[] }

/** Whether a day is one on which this property's visitors behave differently, by its number (analytics/days.ts). */
export type IsHoliday = (day: number) => boolean

/**
 * A series as the scan reads it. Arrays have an entry for each day from `first`, and none depends on a later day than its own.
 */
export type Prepared = {
  /** The number of the first day. */
  first: number
  counts: Float64Array
  /** Natural logarithms of the counts (at least ½); on a holiday or an unknown day, that of the same weekday before. */
  logs: Float64Array
  /** 1 for a known day that is no holiday. */
  ordinary: Uint8Array
  /** 1 for a known day. */
  known: Uint8Array
}

/** Weeks that are looked back over for a day to stand in for a holiday: longer than any row of holidays. */
const standInWeeks = 8

export function prepare({ start, counts }: DailyCounts, isHoliday: IsHoliday): Prepared {
  const { length } = counts
  const first = dayNumber(start)
  const prepared: Prepared = {
    first,
    counts: new Float64Array(length),
    logs: new Float64Array(length),
    ordinary: new Uint8Array(length),
    known: new Uint8Array(length),
  }
  for (let i = 0; i < length; i++) {
    const count = counts[i] ?? null
    prepared.known[i] = count === null ? 0 : 1
    prepared.counts[i] = count ?? 0
    prepared.ordinary[i] = count === null || isHoliday(first + i) ? 0 : 1
    prepared.logs[i] = prepared.ordinary[i] === 1 ? logOf(count ?? 0) : standIn(prepared, i)
  }
  return prepared
}

export const logOf = (count: number): number => Math.log(Math.max(0.5, count))

/** The same weekday of the weeks before; where there is none, the day itself, or the day before it. */
function standIn({ ordinary, known, logs, counts }: Prepared, i: number): number {
  for (let weeks = 1; weeks <= standInWeeks && i - 7 * weeks >= 0; weeks++) {
    if (ordinary[i - 7 * weeks] === 1) return logs[i - 7 * weeks] as number
  }
  return known[i] === 1 || i === 0 ? logOf(counts[i] as number) : (logs[i - 1] as number)
}

/** 0 to 6: the same for days that are whole weeks apart. */
export const weekdayOf = (prepared: Prepared, i: number): number => (prepared.first + i) % 7
