import { lowerTail, upperTail } from './chance.ts'
import type { Direction } from './expectation.ts'
import { clamp, median, spread } from './robust.ts'

/** Weeks before the judged one that each count is expected from; with how many known ones it is judged at all. */
export const baseWeeks = { most: 12, fewest: 6 }

/** A week's count of one of many pages or queries, and those of the weeks before that are known, the latest first. */
export type WeeklyCount = { now: number; before: readonly number[] }

/** What a count comes to by itself. */
type Base = { weeks: number; mean: number; level: number; sum: number; own: number }

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
 * @param today the counts of the judged day; `dayBefore` those of the weeks that end a day earlier, in the same order: null where they
 * are not known
 * @param falsely how many false alarms are put up with, beside the usual: 1 as many
 * @returns in the order of `today`; null for what is too small to be judged
 */
export function judgeMany(
  today: readonly WeeklyCount[],
  dayBefore: readonly (WeeklyCount | null)[],
  { direction, falsely, scale = 1 }: { direction: Direction; falsely: number; /** Counts that say as much as one click. */ scale?: number },
): (ManyTested | null)[] {
  const share = falsely * (direction === 'rise' ? rarerRises : 1)
  const now = testAll(today, direction, scale)
  const before = alarmsOf(testAll(dayBefore, direction, scale), share, scale)
  const [once, twice] = [alarmsOf(now, share * atOnce, scale), alarmsOf(now, share, scale)]
  return now.map((test, i) => {
    if (!test) return null
    const isAlarm = once.has(i) || (twice.has(i) && before.has(i))
    const { actual, expected, probability, isFar } = test
    const isLasting = isFar(lasting.share) && test.tail() <= lasting.probability
    return { actual, expected, probability, isAlarm, isCertain: isAlarm && probability <= certainShare * (twice.get(i) ?? 0), isLasting }
  })
}

type Test = {
  mean: number
  actual: number
  expected: number
  probability: number
  tail: () => number
  isFar: (part: number) => boolean
}

function testAll(counts: readonly (WeeklyCount | null)[], direction: Direction, scale: number): (Test | null)[] {
  const bases = counts.map((count) => (count === null ? null : baseOf(count.before, direction, fewestWeekly * scale)))
  let [variance, squares, expected, actual] = [0, 0, 0, 0]
  for (const [i, base] of bases.entries()) {
    if (!base) continue
    expected += base.level
    actual += Math.min(counts[i]?.now ?? 0, 2 * base.level)
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
  const expected = level * of.site
  const overdispersion = 1.25 * phi + 1 / Math.max(1, sum)
  const isFall = of.direction === 'fall'
  const isFar = (part: number): boolean =>
    isFall ? actual <= expected * (1 - part * smallest.fall) : actual >= expected * (1 + part * smallest.rise)
  const tail = () => (isFall ? lowerTail : upperTail)(actual, { mean: expected, overdispersion })
  return { mean, actual, expected, probability: isFar(1) ? tail() : 1, tail, isFar }
}

/** Null for what is too small, or known for too short a time. */
function baseOf(weeks: readonly number[], direction: Direction, fewest: number): Base | null {
  if (weeks.length < baseWeeks.fewest) return null
  const usual = median(weeks)
  const most = usual + cap.deviations * spread(weeks, usual) + Math.sqrt(usual) + cap.counts
  let [sum, weighted, weights] = [0, 0, 0]
  const capped = weeks.map((week) => Math.min(week, most))
  for (const [age, week] of capped.entries()) {
    const weight = fading ** age
    sum += week
    weighted += weight * week
    weights += weight
  }
  const mean = sum / capped.length
  if (mean < fewest) return null
  let squares = 0
  for (const week of capped) squares += (week - mean) ** 2
  const variance = squares / (capped.length - 1)
  const level = direction === 'fall' ? Math.min(weighted / weights, headroom * usual) : Math.max(weighted / weights, usual / headroom)
  return { weeks: capped.length, mean, level, sum, own: (variance - mean) / mean ** 2 }
}

/** Which of them are alarms, each with the probability up to which those of its stratum are. */
function alarmsOf(tests: readonly (Test | null)[], falsely: number, scale: number): Map<number, number> {
  const alarms = new Map<number, number>()
  for (const [at, { from, share }] of strata.entries()) {
    const below = at === 0 ? Infinity : (strata[at - 1]?.from ?? 0)
    const within = [...tests.entries()].flatMap(([i, test]) =>
      test && test.mean >= from * scale && test.mean < below * scale ? [{ i, probability: test.probability }] : [],
    )
    const ordered = within.filter(({ probability }) => probability < 1).toSorted((a, b) => a.probability - b.probability)
    const last = ordered.findLastIndex(({ probability }, rank) => probability <= (share * falsely * (rank + 1)) / within.length)
    for (const { i } of ordered.slice(0, last + 1)) alarms.set(i, (share * falsely * (last + 1)) / within.length)
  }
  return alarms
}
