import { lowerTail, upperTail } from './chance.ts'
import type { Direction } from './expectation.ts'
import { median } from './robust.ts'
import { lastingShare } from './scan.ts'
import { type Prepared, weekdayOf } from './series.ts'

/** Below this daily average, logarithms of counts say little. (A young series has too few of them, whatever its average.) */
export const smallBelow = 30

/** Days of history: the maximum, the minimum for a window, and the minimum for the longer window. */
const baseDays = { most: 56, fewest: 14, forLong: 21 }
const lengths = [
  { length: 7, compared: 4, dispersion: 1, extra: 0.01 },
  { length: 14, compared: 8, dispersion: 0.75, extra: 0.015 },
] as const
const halfLife = 21
/** Prior clicks of an average weekday, given to each weekday. */
const weekdayPrior = 20
/** The level's largest ratio to the median week, either way. */
const headroom = 1.15
/** Applied from this many weeks on. */
const weeksForHeadroom = 3
const fewestExpected = 3
/** Smallest relative fall and rise to report: a rise of a third undoes a fall of a quarter. */
export const smallestOfSmall: Record<Direction, number> = { fall: 0.25, rise: 1 / 3 }
/** Variance beyond chance of ordinary small sites, and its weight in weeks. */
const ordinary = { weeks: 8, sum: 0.24 }
/** Caps a week, so that one spike doesn't make the site look volatile. */
const weekCap = { share: 1.6, counts: 3.5 }
/** Probability limits for an alarm, by days of history. */
const alarms = [
  { days: 28, below: 0.005 },
  { days: 70, below: 0.01 },
  { days: Infinity, below: 0.015 },
] as const

/** Rises of small sites are mostly short spikes. */
const rarerRises = 0.4

export type SmallVerdict = {
  length: 7 | 14
  actual: number
  expected: number
  days: number
  /** Probability of a count at least this extreme if nothing changed; 1 for changes too small to report, or to keep an open alert open. */
  probability: number
  /** The limit below which it is an alarm. */
  below: number
  isAlarm: boolean
}

/**
 * Tests the windows that end at index `end` by the probability of their counts; null if nothing can be said.
 * @param since earlier days say nothing about what to expect
 */
export function testSmall(series: Prepared, direction: Direction, end: number, since = 0): SmallVerdict | null {
  let most: SmallVerdict | null = null
  for (const each of lengths) {
    const verdict = testWindow(series, direction, end, since, each)
    if (verdict && (most === null || isFurther(verdict, most))) most = verdict
  }
  return most
}

const isFurther = (a: SmallVerdict, b: SmallVerdict): boolean => (a.isAlarm === b.isAlarm ? a.probability < b.probability : a.isAlarm)

function testWindow(
  series: Prepared,
  direction: Direction,
  end: number,
  since: number,
  { length, compared, dispersion, extra }: (typeof lengths)[number],
) {
  const start = end - length + 1
  const base = smallBaseBefore(series, direction, start, since)
  if (!base || (length === 14 && base.days < baseDays.forLong)) return null
  const { level, factors, weeks, ofLevel } = base
  let [actual, share, days] = [0, 0, 0]
  for (let i = start; i <= end; i++) {
    if (series.ordinary[i] !== 1) continue
    actual += series.counts[i] as number
    share += factors[weekdayOf(series, i)] as number
    days += 1
  }
  const expected = level * share
  if (expected < fewestExpected || days < compared) return null
  const mean = { mean: expected, overdispersion: dispersion * dispersionOf(weeks) + extra + ofLevel }
  const isFar = (part: number): boolean =>
    direction === 'fall' ? actual <= expected * (1 - part * smallestOfSmall.fall) : actual >= expected * (1 + part * smallestOfSmall.rise)
  const probability = !isFar(lastingShare) ? 1 : direction === 'fall' ? lowerTail(actual, mean) : upperTail(actual, mean)
  const below = (alarms.find(({ days: upTo }) => start < upTo)?.below ?? 0) * (direction === 'rise' ? rarerRises : 1)
  return { length, actual, expected, days, probability, below, isAlarm: probability <= below && isFar(1) } satisfies SmallVerdict
}

/**
 * What is expected from index `start` on: the count of an average day, and each weekday's share of it; null if the past is too short. `weeks` are the
 * sums it rests on, and `ofLevel` the level's relative variance.
 */
export function smallBaseBefore(series: Prepared, direction: Direction, start: number, since = 0) {
  const begin = Math.max(0, since, start - baseDays.most)
  const factors = start - begin < baseDays.fewest ? null : weekdayFactors(series, begin, start)
  if (!factors) return null
  let [weighted, weights, squares] = [0, 0, 0]
  for (let i = begin; i < start; i++) {
    if (series.ordinary[i] !== 1) continue
    const weight = 0.5 ** ((start - 1 - i) / halfLife)
    weighted += weight * (series.counts[i] as number)
    weights += weight * (factors[weekdayOf(series, i)] as number)
    squares += weight ** 2
  }
  const weeks = weekSums(series, begin, start)
  const usual = median(weeks) / 7
  let level = weighted / weights
  if (weeks.length >= weeksForHeadroom) {
    level = direction === 'fall' ? Math.min(level, headroom * usual) : Math.max(level, usual / headroom)
  }
  return { level, factors, weeks, days: start - begin, ofLevel: squares / (level * weights ** 2) }
}

/** Each weekday's share of an average day; null without any counts. */
function weekdayFactors(series: Prepared, begin: number, end: number): number[] | null {
  const sums = Array.from({ length: 7 }, () => ({ counts: 0, days: 0 }))
  let [counts, days] = [0, 0]
  for (let i = begin; i < end; i++) {
    if (series.ordinary[i] !== 1) continue
    const of = sums[weekdayOf(series, i)] as { counts: number; days: number }
    of.counts += series.counts[i] as number
    of.days += 1
    counts += series.counts[i] as number
    days += 1
  }
  if (counts === 0) return null
  return sums.map((of) => (of.counts + weekdayPrior) / ((of.days * counts) / days + weekdayPrior))
}

/** Sums of the full weeks before `end`, latest first, scaled as if all days were ordinary. */
function weekSums(series: Prepared, begin: number, end: number): number[] {
  const sums: number[] = []
  for (let last = end; last - 7 >= begin; last -= 7) {
    let [counts, days] = [0, 0]
    for (let i = last - 7; i < last; i++) {
      if (series.ordinary[i] !== 1) continue
      counts += series.counts[i] as number
      days += 1
    }
    if (days >= 4) sums.push((counts * 7) / days)
  }
  return sums
}

/** Relative weekly variance beyond chance, shrunk toward that of ordinary small sites. */
function dispersionOf(weeks: readonly number[]): number {
  const cap = weekCap.share * median(weeks) + weekCap.counts
  const capped = weeks.map((week) => Math.min(week, cap))
  const mean = capped.reduce((sum, week) => sum + week, 0) / Math.max(1, capped.length)
  const others = Math.max(0, capped.length - 1)
  const variance = others === 0 ? 0 : capped.reduce((sum, week) => sum + (week - mean) ** 2, 0) / others
  const own = mean > 0 ? Math.max(0, (variance - mean) / mean ** 2) : 0
  return (ordinary.sum + others * own) / (ordinary.weeks + others)
}
