import type { ExpectedDay } from '../../../contract/figures.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { addDays, daysBetween } from '../../analytics/days.ts'
import type { Direction } from '../../detection/expectation.ts'
import { baseWeeks } from '../../detection/many-counts.ts'
import { firstDayWithin } from '../../detection/rate-band.ts'
import { spread } from '../../detection/robust.ts'
import { figureOf, noSums, type Sums } from '../figures.ts'
import type { Window } from '../rule.ts'
import { type Usual, usualOf } from './unusual.ts'

/** Standard deviations to each side, and past days that show how much single days vary. */
const width = 2
const spreadDays = 84

/** How many days before the first drawn one are read. */
export const placeBandDays = 7 * (baseWeeks.most + 2) + spreadDays

export type PlaceDays = {
  start: IsoDate
  /** Null for a day that isn't stored. */
  days: readonly (Sums | null)[]
}

/** The usual position of a week that begins at index `begin`, from the stored weeks before it. */
function usualAt({ days }: PlaceDays, begin: number): Usual | null {
  const weeks: Sums[] = []
  for (let from = begin - 7; from >= 0 && from >= begin - 7 * baseWeeks.most; from -= 7) {
    const week = days.slice(from, from + 7)
    if (week.every((day) => day !== null)) weeks.push(sumOf(week))
  }
  return usualOf('position', { weeks, yearAgo: [] }, noSums)
}

const sumOf = (days: readonly Sums[]): Sums =>
  days.reduce((all, day) => ({
    clicks: all.clicks + day.clicks,
    impressions: all.impressions + day.impressions,
    positionSum: all.positionSum + day.positionSum,
    rankedImpressions: all.rankedImpressions + day.rankedImpressions,
  }))

/** The usual position on each day from `from` on, as known before its week, when weeks end on the weekday of the evaluated one. */
export function placeBandOf(of: PlaceDays, window: Window, from: IsoDate): ExpectedDay[] {
  const last = daysBetween(of.start, window.end) - 1
  const beginOf = (i: number): number => last + 1 + Math.floor((i - last - 1) / 7) * 7
  const weeks = new Map<number, { usual: Usual; varies: number } | null>()
  const at = (begin: number) => {
    let found = weeks.get(begin)
    if (found === undefined) {
      const usual = begin < 0 ? null : usualAt(of, begin)
      found = usual && { usual, varies: Math.max(usual.varies, daysVary(of, begin, usual.expected)) }
      weeks.set(begin, found)
    }
    return found
  }
  return of.days.flatMap((_, i): ExpectedDay[] => {
    const date = addDays(of.start, i)
    const found = date < from ? null : at(beginOf(i))
    if (!found) return []
    const { usual, varies } = found
    return [{ date, expected: usual.expected, low: Math.max(1, usual.expected - width * varies), high: usual.expected + width * varies }]
  })
}

/** How much single days differ from the usual position. */
function daysVary({ days }: PlaceDays, begin: number, usual: number): number {
  const places = days.slice(Math.max(0, begin - spreadDays), begin).flatMap((day) => (day && figureOf('position', day)) ?? [])
  return places.length === 0 ? 0 : spread(places, usual)
}

/**
 * The first day of a change in position that a window showed: the day from which positions deviate most from the usual one before, given
 * their number (D. V. Hinkley, Biometrika 57, 1970).
 */
export function firstPlaceDayOf(of: PlaceDays, window: Window, direction: Direction): IsoDate {
  const end = daysBetween(of.start, window.end) - 1
  const earliest = daysBetween(of.start, window.start) - 1 - firstDayWithin
  const usual = usualAt(of, earliest)
  if (!usual) return window.start
  // A position falls when its number grows.
  const sign = direction === 'fall' ? 1 : -1
  let best = { day: window.start, score: 0 }
  let [sum, days] = [0, 0]
  for (let i = end; i >= Math.max(0, earliest); i--) {
    const day = of.days[i]
    const place = day ? figureOf('position', day) : null
    if (place === null) continue
    sum += sign * (place - usual.expected)
    days += 1
    const score = sum / Math.sqrt(days)
    if (score > best.score) best = { day: addDays(of.start, i), score }
  }
  return best.day
}
