import type { ExpectedDay } from '../../contract/figures.ts'
import type { IsoDate } from '../../contract/common.ts'
import { addDays, daysBetween } from '../analytics/days.ts'
import type { Rates, RateDay } from './click-rates.ts'
import type { Direction } from './expectation.ts'
import { clamp } from './robust.ts'

/** Standard deviations to each side. */
const width = 2
/** A change may have begun at most this many days before the window that showed it. */
export const firstDayWithin = 14
/** Past days that show how much single days vary beyond chance; their prior, its weight in days, and the least such variance. */
const spreads = { days: 84, prior: 0.01, weight: 28, least: 0.0016 }

/** How many days before the first drawn one are read, besides those that an expectation rests on. */
export const rateBandDays = spreads.days + firstDayWithin + 14

type Window = { start: IsoDate; end: IsoDate }

export type RateBandQuestion = {
  rates: Rates
  /** The query with this index, or all together. */
  of: number | 'all'
  /** Queries whose shared change is removed. */
  among: readonly number[]
  /** The day with index 0, and the number of days. */
  start: IsoDate
  length: number
}

/**
 * The expected CTR of each day from `from` on, at the positions it had: days are divided into windows as long as the evaluated one, each
 * compared with the weeks before it, as the rule does. The last days, which make no whole window, belong to one that overlaps.
 */
export function rateBandOf(question: RateBandQuestion & { window: Window; from: IsoDate }): ExpectedDay[] {
  const { rates, of, among, start, length: all, window, from } = question
  const length = daysBetween(window.start, window.end)
  const last = daysBetween(start, window.end) - 1
  const known = new Map<number, RateDay>()
  const ends = [...endsOf(last % length, length, all), all - 1]
  for (const end of ends) for (const day of rates.daysOf(of, among, length, end) ?? []) if (!known.has(day.at)) known.set(day.at, day)
  const days: ExpectedDay[] = []
  for (let i = daysBetween(start, from) - 1; i < all; i++) {
    const day = known.get(i)
    if (!day || day.impressions === 0) continue
    const expected = day.expected / day.impressions
    // Of windows that had ended before this one began.
    const begin = last + 1 + Math.floor((i - last - 1) / length) * length
    const beyond = variationBefore([...known.values()], begin)
    const far = Math.exp(width * Math.sqrt(beyond + 1 / Math.max(1, day.expected)))
    days.push({ date: addDays(start, i), expected, low: expected / far, high: Math.min(1, expected * far) })
  }
  return days
}

const endsOf = (first: number, step: number, all: number): number[] =>
  Array.from({ length: Math.max(0, Math.ceil((all - first) / step)) }, (_, k) => first + k * step)

/** The variance of single days beyond counting noise, in logarithms. */
function variationBefore(days: readonly RateDay[], begin: number): number {
  let [sum, count] = [spreads.weight * spreads.prior, spreads.weight]
  for (const { at, clicks, expected } of days) {
    if (at >= begin || at < begin - spreads.days || expected <= 0) continue
    const chance = 1 / Math.max(1, expected)
    const limit = 3 * Math.sqrt(chance + spreads.prior)
    sum += clamp(Math.log((clicks + 0.5) / (expected + 0.5)), -limit, limit) ** 2 - chance
    count += 1
  }
  return Math.max(spreads.least, sum / count)
}

/**
 * The first day of a change in CTR that a window showed: the day from which the clicks deviate most from those expected before, given their
 * number (D. V. Hinkley, Biometrika 57, 1970).
 */
export function firstRateDayOf(question: RateBandQuestion & { window: Window; direction: Direction }): IsoDate {
  const { rates, of, among, start, window, direction } = question
  const end = daysBetween(start, window.end) - 1
  const length = daysBetween(window.start, window.end)
  const days = rates.daysOf(of, among, length + firstDayWithin, end) ?? rates.daysOf(of, among, length, end) ?? []
  const sign = direction === 'fall' ? -1 : 1
  let best = { day: window.start, score: 0 }
  let [sum, variance] = [0, 0]
  for (const { at, clicks, expected } of days.toReversed()) {
    if (expected <= 0) continue
    sum += sign * 2 * (Math.sqrt(clicks + 3 / 8) - Math.sqrt(expected + 3 / 8))
    variance += 1 + spreads.prior * expected
    const score = sum / Math.sqrt(variance)
    if (score > best.score) best = { day: addDays(start, at), score }
  }
  return best.day
}
