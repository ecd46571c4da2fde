import type { ExpectedDay } from '../../contract/figures.ts'
import type { IsoDate } from '../../contract/common.ts'
import { addDays, dayNumber, fromDayNumber } from '../analytics/days.ts'
import { type Direction, type Expectation, expectationBefore } from './expectation.ts'
import { median, spread } from './robust.ts'
import { type DailyCounts, type IsHoliday, prepare, type Prepared, weekdayOf } from './series.ts'

/** Days before the first drawn one that expectation and spread are learned from. */
export const bandPastDays = 126
const spreadDays = 84
/** Variation of single days of an ordinary site, in logarithms, and its weight in days. */
const usual = { spread: 0.1, days: 28 }
/** Standard deviations to each side. */
const width = 2
/** A change may have begun at most this many days before the window that showed it. */
const firstDayWithin = 14

type Window = { start: IsoDate; end: IsoDate }

export type BandQuestion = {
  counts: DailyCounts
  isHoliday: IsHoliday
  /** Which changes it is compared for; `latest`: all of them. */
  direction: Direction | 'latest'
  /** The evaluated days. */
  window: Window
  /** Their expected total, which also accounts for last year's season; null: as expected from the weeks before. */
  total: number | null
  /** The first drawn day. */
  from: IsoDate
}

/**
 * The expected value of each day from `from` on, as it could be known when that day's window began: days are divided into windows as long
 * as the evaluated one, and neither a window's days nor later ones influence it. Days with too short a past are left out.
 */
export function bandOf({ counts, isHoliday, direction, window, total, from }: BandQuestion): ExpectedDay[] {
  const series = prepare(counts, isHoliday)
  const [start, end] = [dayNumber(window.start) - series.first, dayNumber(window.end) - series.first]
  const length = end - start + 1
  const known = new Map<number, { expectation: Expectation; varies: number } | null>()
  const of = (begin: number) => {
    let found = known.get(begin)
    if (found === undefined) {
      const expectation = expectationBefore(series, begin)
      found = expectation && { expectation, varies: variationBefore(series, begin) }
      known.set(begin, found)
    }
    return found
  }
  const expectedOn = (i: number) => {
    // A whole number of windows away from the evaluated one.
    const begin = start + Math.floor((i - start) / length) * length
    const past = begin < 0 ? null : of(begin)
    if (!past) return null
    const { level, shares } = past.expectation
    return { expected: level[direction] * (shares[weekdayOf(series, i)] as number), varies: past.varies }
  }
  let [sum, ordinary] = [0, 0]
  for (let i = Math.max(0, start); i <= end; i++) {
    sum += expectedOn(i)?.expected ?? 0
    ordinary += series.ordinary[i] ?? 0
  }
  // In a window with holidays, only some days were compared.
  const factor = total !== null && ordinary === length && sum > 0 ? total / sum : 1
  const days: ExpectedDay[] = []
  for (let i = Math.max(0, dayNumber(from) - series.first); i < series.counts.length; i++) {
    const found = expectedOn(i)
    if (!found) continue
    const expected = found.expected * (start <= i && i <= end ? factor : 1)
    // Counts vary by chance, relatively more the smaller they are (Poisson).
    const far = Math.exp(width * Math.sqrt(found.varies ** 2 + 1 / Math.max(1, expected)))
    days.push({ date: fromDayNumber(series.first + i), expected, low: expected / far, high: expected * far })
  }
  return days
}

/** The expected count of each day from `from` on, as known before its week, when weeks end on the weekday of the last day. */
export function weeklyBandOf(counts: DailyCounts, isHoliday: IsHoliday, from: IsoDate): ExpectedDay[] {
  const end = addDays(counts.start, counts.counts.length - 1)
  const window = { start: addDays(end, -6), end }
  return bandOf({ counts, isHoliday, direction: 'latest', window, total: null, from })
}

/** How far ordinary days deviate from their weekday's share, in logarithms, beyond counting noise. */
function variationBefore(series: Prepared, begin: number): number {
  const past = expectationBefore(series, begin)
  const residuals: number[] = []
  let counts = 0
  for (let i = Math.max(3, begin - spreadDays); i + 3 < begin; i++) {
    if (series.ordinary[i] !== 1 || !past) continue
    // The median of the surrounding week follows slow changes.
    const around: number[] = []
    for (let k = i - 3; k <= i + 3; k++) around.push((series.logs[k] as number) - Math.log(past.shares[weekdayOf(series, k)] as number))
    residuals.push((series.logs[i] as number) - Math.log(past.shares[weekdayOf(series, i)] as number) - median(around))
    counts += series.counts[i] as number
  }
  if (residuals.length === 0) return usual.spread
  const own = spread(residuals, median(residuals))
  const counting = 1 / Math.max(1, counts / residuals.length)
  const beyond = Math.sqrt(Math.max(0, own ** 2 - counting))
  return (residuals.length * beyond + usual.days * usual.spread) / (residuals.length + usual.days)
}

/**
 * The first day of a change that a window showed: among the window's days and those before it, the day from which the counts deviate most
 * from what was expected before them, given their number (D. V. Hinkley, Biometrika 57, 1970).
 */
export function firstDayOf({
  counts,
  isHoliday,
  direction,
  window,
}: Pick<BandQuestion, 'counts' | 'isHoliday' | 'window'> & { direction: Direction }): IsoDate {
  const series = prepare(counts, isHoliday)
  const end = dayNumber(window.end) - series.first
  const earliest = dayNumber(window.start) - series.first - firstDayWithin
  const expectation = expectationBefore(series, Math.max(0, earliest))
  if (!expectation) return window.start
  const sign = direction === 'fall' ? -1 : 1
  let best = { day: window.start, score: 0 }
  let [sum, days] = [0, 0]
  for (let i = end; i >= earliest; i--) {
    if (series.ordinary[i] === 1) {
      const expected = expectation.level[direction] * (expectation.shares[weekdayOf(series, i)] as number)
      sum += sign * Math.log(((series.counts[i] as number) + 0.5) / (expected + 0.5))
      days += 1
    }
    const score = days === 0 ? 0 : sum / Math.sqrt(days)
    if (score > best.score) best = { day: fromDayNumber(series.first + i), score }
  }
  return best.day
}
