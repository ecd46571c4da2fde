import { lowerTail, upperTail } from './chance.ts'
import type { Direction } from './expectation.ts'
import { clamp, median, spread } from './robust.ts'

/** Weeks before the judged one that each count is expected from; with how many known ones it is judged at all. */
export const baseWeeks = { most: 12, fewest: 6 }

/** A week's count of one of many pages or queries, and those of the weeks before that are known, the latest first. */
export type WeeklyCount = { now: number; before: readonly number[] }

/** What a count comes to by itself; the level is capped where a fall is looked for, and propped up where a rise is. */
type Base = { weeks: number; mean: number; level: Record<Direction, number>; sum: number; own: number }

export type ManyTested = {
  actual: number
  expected: number
  /** Probability of a count as far or further out, if nothing had changed; 1 of a change that is too small to tell. */
  probability: number
  isAlarm: boolean
  /** Beyond an alarm by as much as makes a false one unlikely. */
  isCertain: boolean
  /** Of an alarm of the days before: still far enough out to last. */
  isLasting: boolean
}

/** Weight of a week beside the one after it. */
const fading = 0.75
/** How far above, or below, the median week the level goes at most: what a spike or an outage did is not expected again. */
const headroom = 1.15
/** A week counts as at most so far above the median one, so that spikes do not make a page a restless one. */
const cap = { deviations: 1.6, counts: 2 }
/** Relative variance beyond chance: with how many weeks the pages' common one is weighed, the least there is, and from which mean on a page tells of it. */
const pooled = { weeks: 4, common: 0.003, own: 0.002, from: 20 }
/** How far the site's own change goes that all of its pages are freed from. */
const ofSite = { least: 0.8, most: 1.25 }
/** Parts by which it has to fall, or to rise. */
const smallest: Record<Direction, number> = { fall: 0.25, rise: 1 }
/** What a change needs of that to last. */
const lasting = { share: 0.7, probability: 0.05 }
/** By counts a week: the share of alarms that may be false (Benjamini and Hochberg, J. R. Stat. Soc. B 57, 1995), of those that reach so many. */
const strata = [
  { from: 200, share: 0.05 },
  { from: 50, share: 0.012 },
  { from: 5, share: 0.01 },
] as const
/** Fewer counts a week than this say nothing. */
export const fewestWeekly = 5
/** One look is enough below this part of the share; otherwise the day before has to agree. */
const atOnce = 1 / 5
/** Of the probability that made it an alarm. */
const certainShare = 0.05
/** Rises of single pages are spikes more often than not. */
const rarerRises = 0.01

/**
 * Judges a week of many counts of one site together: negative binomial, each with the overdispersion of its own weeks weighed with the
 * site's, freed of the change that all of them share; and of all those that stand out as many as leave few false ones among them.
 * What is expected of them is made once, for both directions.
 * @param today the counts of the judged day; `dayBefore` those of the weeks that end a day earlier, in the same order: null where they
 * are not known
 * @param scale counts that say as much as one click
 * @returns what judges one direction, `falsely` saying how many false alarms are put up with beside the usual: in the order of `today`,
 * null for what is too small to be judged
 */
export function createMany(today: readonly WeeklyCount[], dayBefore: readonly (WeeklyCount | null)[], scale = 1) {
  const [basesNow, basesBefore] = [basesOf(today, scale), basesOf(dayBefore, scale)]
  return function judge(direction: Direction, falsely: number): (ManyTested | null)[] {
    const share = falsely * (direction === 'rise' ? rarerRises : 1)
    const now = strataOf(testAll(today, basesNow, direction, scale), scale)
    const before = alarmsOf(strataOf(testAll(dayBefore, basesBefore, direction, scale), scale), share)
    const [once, twice] = [alarmsOf(now, share * atOnce), alarmsOf(now, share)]
    return now.tests.map((test, i) => {
      if (!test) return null
      const { actual, expected, probability } = test
      const limit = twice.get(i)
      const isAlarm = once.has(i) || (limit !== undefined && before.has(i))
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

/** Null for what is too small, or known for too short a time. */
function baseOf(weeks: readonly number[], fewest: number): Base | null {
  if (weeks.length < baseWeeks.fewest) return null
  const usual = median(weeks)
  const most = usual + cap.deviations * spread(weeks, usual) + Math.sqrt(usual) + cap.counts
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

/** Tests with how many there are of each size, and those of them that stand out at all, the least probable first. */
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

/** Which of them are alarms, each with the probability up to which those of its stratum are. */
function alarmsOf({ tests, strata: sized }: Strata, falsely: number): Map<number, number> {
  const alarms = new Map<number, number>()
  for (const { share, size, far } of sized) {
    const last = far.findLastIndex((i, rank) => (tests[i]?.probability ?? 1) <= (share * falsely * (rank + 1)) / size)
    for (const i of far.slice(0, last + 1)) alarms.set(i, (share * falsely * (last + 1)) / size)
  }
  return alarms
}
