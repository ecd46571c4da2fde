import type { IsoDate } from '../../contract/common.ts'
import { dayNumber } from '../analytics/days.ts'

/** Daily counts of one metric from `start` on; null for an unknown day, which isn't zero. */
export type DailyCounts = { start: IsoDate; counts: readonly (number | null)[] }

/** Whether this property's visitors behave differently on a day, given by number (analytics/days.ts). */
export type IsHoliday = (day: number) => boolean

/** A series in the form the scan needs. Arrays have one entry per day from `first` on, none of which depends on a later day. */
export type Prepared = {
  /** The number of the first day. */
  first: number
  counts: Float64Array
  /** Natural logarithms of the counts (at least ½); on a holiday or an unknown day, that of the preceding same weekday. */
  logs: Float64Array
  /** 1 for a known day that isn't a holiday. */
  ordinary: Uint8Array
  /** 1 for a known day. */
  known: Uint8Array
}

/** How many weeks back to look for a day to replace a holiday: more than any run of holidays. */
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

/** The same weekday of a preceding week; if there is none, the day itself, or the day before it. */
function standIn({ ordinary, known, logs, counts }: Prepared, i: number): number {
  for (let weeks = 1; weeks <= standInWeeks && i - 7 * weeks >= 0; weeks++) {
    if (ordinary[i - 7 * weeks] === 1) return logs[i - 7 * weeks] as number
  }
  return known[i] === 1 || i === 0 ? logOf(counts[i] as number) : (logs[i - 1] as number)
}

/** 0 to 6; equal for days whole weeks apart. */
export const weekdayOf = (prepared: Prepared, i: number): number => (prepared.first + i) % 7
