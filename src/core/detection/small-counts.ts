import { lowerTail, upperTail } from './chance.ts'
import type { Direction } from './expectation.ts'
import { median } from './robust.ts'
import { type Prepared, weekdayOf } from './series.ts'

/** Below so many a day, on average, logarithms of counts say little; and a young series has too few of them. */
export const smallBelow = 30

/** Days of past that are looked at; with how many a window is judged at all, and from how many on the longer one as well. */
const baseDays = { most: 56, fewest: 14, forLong: 21 }
const lengths = [
  { length: 7, compared: 4, dispersion: 1, extra: 0.01 },
  { length: 14, compared: 8, dispersion: 0.75, extra: 0.015 },
] as const
const halfLife = 21
/** Clicks of an average weekday that each weekday starts with. */
const weekdayPrior = 20
/** Above, or below, the median week the level does not go. */
const headroom = 1.15
/** From so many weeks on. */
const weeksForHeadroom = 3
const fewestExpected = 3
/** Parts by which it has to fall, or to rise: a third more undoes a quarter less. */
const smallest: Record<Direction, number> = { fall: 0.25, rise: 1 / 3 }
/** What weeks of small sites vary by beyond chance, and with how many weeks that is weighed. */
const ordinary = { weeks: 8, sum: 0.24 }
/** A week counts as at most so much, so that one spike does not make the site a restless one. */
const weekCap = { share: 1.6, counts: 3.5 }
/** The probability from which on there is an alarm, by days of past. */
const alarms = [
  { days: 28, below: 0.005 },
  { days: 70, below: 0.01 },
  { days: Infinity, below: 0.015 },
] as const

/** Rises of small sites are spikes more often than not. */
const rarerRises = 0.4

export type SmallVerdict = {
  length: 7 | 14
  actual: number
  expected: number
  days: number
  /** Probability of a count as far or further out, if nothing had changed. */
  probability: number
  /** The one from which on it is an alarm. */
  below: number
  isAlarm: boolean
}

/** Judges the windows that end with index `end` by what chance does to counts; null where nothing can be said. */
export function judgeSmall(series: Prepared, direction: Direction, end: number): SmallVerdict | null {
  let most: SmallVerdict | null = null
  for (const each of lengths) {
    const verdict = judgeWindow(series, direction, end, each)
    if (verdict && (most === null || verdict.probability < most.probability)) most = verdict
  }
  return most
}

function judgeWindow(
  series: Prepared,
  direction: Direction,
  end: number,
  { length, compared, dispersion, extra }: (typeof lengths)[number],
) {
  const start = end - length + 1
  const begin = Math.max(0, start - baseDays.most)
  if (start - begin < (length === 14 ? baseDays.forLong : baseDays.fewest)) return null
  const factors = weekdayFactors(series, begin, start)
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
  let [actual, share, days] = [0, 0, 0]
  for (let i = start; i <= end; i++) {
    if (series.ordinary[i] !== 1) continue
    actual += series.counts[i] as number
    share += factors[weekdayOf(series, i)] as number
    days += 1
  }
  const expected = level * share
  if (expected < fewestExpected || days < compared) return null
  const mean = { mean: expected, overdispersion: dispersion * dispersionOf(weeks) + extra + squares / (level * weights ** 2) }
  const isFar = direction === 'fall' ? actual <= expected * (1 - smallest.fall) : actual >= expected * (1 + smallest.rise)
  const probability = !isFar ? 1 : direction === 'fall' ? lowerTail(actual, mean) : upperTail(actual, mean)
  const below = (alarms.find(({ days: upTo }) => start < upTo)?.below ?? 0) * (direction === 'rise' ? rarerRises : 1)
  return { length, actual, expected, days, probability, below, isAlarm: probability <= below } satisfies SmallVerdict
}

/** What each weekday has of an average day; null where there is nothing at all. */
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

/** Sums of the whole weeks before `end`, the latest first, as if all their days were ordinary ones. */
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

/** Relative variance of weeks beyond chance, shrunk towards that of ordinary small sites. */
function dispersionOf(weeks: readonly number[]): number {
  const cap = weekCap.share * median(weeks) + weekCap.counts
  const capped = weeks.map((week) => Math.min(week, cap))
  const mean = capped.reduce((sum, week) => sum + week, 0) / Math.max(1, capped.length)
  const others = Math.max(0, capped.length - 1)
  const variance = others === 0 ? 0 : capped.reduce((sum, week) => sum + (week - mean) ** 2, 0) / others
  const own = mean > 0 ? Math.max(0, (variance - mean) / mean ** 2) : 0
  return (ordinary.sum + others * own) / (ordinary.weeks + others)
}
