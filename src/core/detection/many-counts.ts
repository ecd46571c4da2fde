import { lowerTail, upperTail } from './chance.ts'
import type { Direction } from './expectation.ts'
import { clamp, middleOfFew } from './robust.ts'

/** How many preceding weeks each expectation is based on: at most, and at least. */
export const baseWeeks = { most: 12, fewest: 6 }

/** The weekly count of one of many pages or queries, and the known counts of preceding weeks, latest first. */
export type WeeklyCount = { now: number; before: readonly number[] }

/** Summary of a count's own past. The level is capped when looking for a fall, and raised when looking for a rise. */
type Base = { weeks: number; mean: number; level: Record<Direction, number>; sum: number; own: number }

export type ManyTested = {
  actual: number
  expected: number
  /** Probability of a count at least this extreme if nothing changed; 1 if the change is too small to report. */
  probability: number
  isAlarm: boolean
  /** So far beyond the alarm limit that a false alarm is unlikely. */
  isCertain: boolean
  /** For an open alarm: still far enough out to stay open. */
  isLasting: boolean
}

/** Weight of a week relative to the next one. */
const fading = 0.75
/** The level's largest ratio to the median week, either way, so that a spike or an outage isn't expected again. */
const headroom = 1.15
/** Caps a week's distance above the median, so that spikes don't make a page look volatile. */
const cap = { deviations: 1.6, counts: 2 }
/**
 * Relative variance beyond chance: the weight in weeks of all pages' common value, its minimum, a page's minimum, and the mean from which
 * a page contributes.
 */
const pooled = { weeks: 4, common: 0.003, own: 0.002, from: 20 }
/** Bounds of the site-wide change that is removed from all pages. */
const ofSite = { least: 0.8, most: 1.25 }
/** Smallest relative fall and rise to report. */
const smallest: Record<Direction, number> = { fall: 0.25, rise: 1 }
/** The share of that, and the probability, at which an open alarm stays open. */
const lasting = { share: 0.7, probability: 0.05 }
/** Accepted share of false alarms (Benjamini and Hochberg, J. R. Stat. Soc. B 57, 1995), by weekly count. */
const strata = [
  { from: 200, share: 0.065 },
  { from: 50, share: 0.012 },
  { from: 5, share: 0.01 },
] as const
/** Smaller weekly counts aren't evaluated. */
export const fewestWeekly = 5
/** A single day suffices at this part of the share; otherwise the day before must agree. */
const atOnce = 1 / 5
/** Share of the alarm's limit below which it is certain. */
const certainShare = 0.05
/** Rises of single pages are mostly short spikes. */
const rarerRises = 0.01

/**
 * Evaluates a week of many counts of one site together. Counts are negative binomial, with each one's own overdispersion weighted with
 * the site's, and the change shared by all of them removed. Of those that stand out, as many become alarms as keep false ones rare. The
 * expectations are computed once, for both directions.
 * @param today the counts of the weeks that end on the evaluated day
 * @param dayBefore those of the weeks that end a day earlier, in the same order; null where unknown; asked for only if it matters
 * @param scale how many counts are worth as much as one click
 * @returns tests one direction, where `falsely` multiplies the accepted share of false alarms; in the order of `today`, null for counts
 * that are too small
 */
export function createMany(today: readonly WeeklyCount[], dayBefore: () => readonly (WeeklyCount | null)[], scale = 1) {
  const basesNow = basesOf(today, scale)
  let before: { counts: readonly (WeeklyCount | null)[]; bases: (Base | null)[] } | null = null
  const alarmsBefore = (direction: Direction, share: number): Map<number, number> => {
    const counts = before?.counts ?? dayBefore()
    before ??= { counts, bases: basesOf(counts, scale) }
    return alarmsOf(strataOf(testAll(counts, before.bases, direction, scale), scale), share)
  }
  return function testDirection(direction: Direction, falsely: number): (ManyTested | null)[] {
    const share = falsely * (direction === 'rise' ? rarerRises : 1)
    const now = strataOf(testAll(today, basesNow, direction, scale), scale)
    const [once, twice] = [alarmsOf(now, share * atOnce), alarmsOf(now, share)]
    // On most days nothing stands out, and the day before need not be looked at.
    const agreed = [...twice.keys()].some((i) => !once.has(i)) ? alarmsBefore(direction, share) : null
    return now.tests.map((test, i) => {
      if (!test) return null
      const { actual, expected, probability } = test
      const limit = twice.get(i)
      const isAlarm = once.has(i) || (limit !== undefined && agreed !== null && agreed.has(i))
      const isLasting = isFar(test, direction, lasting.share) && tailOf(test, direction) <= lasting.probability
      return { actual, expected, probability, isAlarm, isCertain: isAlarm && probability <= certainShare * (limit ?? 0), isLasting }
    })
  }
}

type Test = { mean: number; actual: number; expected: number; overdispersion: number; probability: number }

const basesOf = (counts: readonly (WeeklyCount | null)[], scale: number): (Base | null)[] =>
  counts.map((count) => (count === null ? null : baseOf(count.before, fewestWeekly * scale)))

function testAll(
  counts: readonly (WeeklyCount | null)[],
  bases: readonly (Base | null)[],
  direction: Direction,
  scale: number,
): (Test | null)[] {
  let [variance, squares, expected, actual] = [0, 0, 0, 0]
  for (const [i, base] of bases.entries()) {
    if (!base) continue
    expected += base.level[direction]
    actual += Math.min(counts[i]?.now ?? 0, 2 * base.level[direction])
    if (base.mean < pooled.from * scale) continue
    variance += base.own * base.mean ** 2
    squares += base.mean ** 2
  }
  const common = Math.max(pooled.common, squares === 0 ? 0 : variance / squares)
  const site = expected === 0 ? 1 : clamp(actual / expected, ofSite.least, ofSite.most)
  return bases.map((base, i) => (base ? testOne(counts[i]?.now ?? 0, base, { common, site, direction }) : null))
}

function testOne(actual: number, base: Base, of: { common: number; site: number; direction: Direction }): Test {
  const { weeks, own, sum, mean, level } = base
  const others = weeks - 1
  const phi = Math.max(pooled.own, (pooled.weeks * of.common + others * Math.max(0, own)) / (pooled.weeks + others))
  const overdispersion = 1.25 * phi + 1 / Math.max(1, sum)
  const test: Test = { mean, actual, expected: level[of.direction] * of.site, overdispersion, probability: 1 }
  if (isFar(test, of.direction, 1)) test.probability = tailOf(test, of.direction)
  return test
}

const isFar = ({ actual, expected }: Test, direction: Direction, part: number): boolean =>
  direction === 'fall' ? actual <= expected * (1 - part * smallest.fall) : actual >= expected * (1 + part * smallest.rise)

const tailOf = ({ actual, expected, overdispersion }: Test, direction: Direction): number =>
  (direction === 'fall' ? lowerTail : upperTail)(actual, { mean: expected, overdispersion })

/** Null if the count is too small or its past too short. */
function baseOf(weeks: readonly number[], fewest: number): Base | null {
  if (weeks.length < baseWeeks.fewest) return null
  const { middle: usual, spread } = middleOfFew(weeks)
  const most = usual + cap.deviations * spread + Math.sqrt(usual) + cap.counts
  let [sum, weighted, weights, weight] = [0, 0, 0, 1]
  for (let age = 0; age < weeks.length; age++) {
    const week = Math.min(weeks[age] as number, most)
    sum += week
    weighted += weight * week
    weights += weight
    weight *= fading
  }
  const mean = sum / weeks.length
  if (mean < fewest) return null
  let squares = 0
  for (let age = 0; age < weeks.length; age++) squares += (Math.min(weeks[age] as number, most) - mean) ** 2
  const variance = squares / (weeks.length - 1)
  const level = { fall: Math.min(weighted / weights, headroom * usual), rise: Math.max(weighted / weights, usual / headroom) }
  return { weeks: weeks.length, mean, level, sum, own: (variance - mean) / mean ** 2 }
}

/** All tests with the number of each size, and those that stand out, least probable first. */
type Strata = { tests: readonly (Test | null)[]; strata: readonly { share: number; size: number; far: readonly number[] }[] }

function strataOf(tests: readonly (Test | null)[], scale: number): Strata {
  const sized = strata.map(({ share }) => ({ share, size: 0, far: [] as number[] }))
  for (const [i, test] of tests.entries()) {
    const of = test && sized[strata.findIndex(({ from }) => test.mean >= from * scale)]
    if (!of) continue
    of.size += 1
    if (test.probability < 1) of.far.push(i)
  }
  const probabilityOf = (i: number): number => tests[i]?.probability ?? 1
  for (const { far } of sized) far.sort((a, b) => probabilityOf(a) - probabilityOf(b))
  return { tests, strata: sized }
}

/** The alarms, each with the probability limit of its stratum. */
function alarmsOf({ tests, strata: sized }: Strata, falsely: number): Map<number, number> {
  const alarms = new Map<number, number>()
  for (const { share, size, far } of sized) {
    const last = far.findLastIndex((i, rank) => (tests[i]?.probability ?? 1) <= (share * falsely * (rank + 1)) / size)
    for (const i of far.slice(0, last + 1)) alarms.set(i, (share * falsely * (last + 1)) / size)
  }
  return alarms
}
