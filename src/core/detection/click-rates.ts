import type { Direction } from './expectation.ts'
import { baseDays, expectedOn, rate, type RateDays, type Rated } from './rate-base.ts'
import { clamp } from './robust.ts'

export type RateTested = {
  length: 7 | 14
  clicks: number
  impressions: number
  /** Expected clicks for these impressions at these positions. */
  expected: number
  /** In standard deviations; 0 if the change is too small to report. */
  score: number
  /** The variance behind the score: chance, and how much the query's CTR varies by itself. */
  variance: number
}

/** A day's clicks and impressions, and the clicks expected of those. */
export type RateDay = { at: number; clicks: number; impressions: number; expected: number }

const lengths = [7, 14] as const
/** More days than any window has. */
const longest = 64
/** Bounds of the change shared by all other queries, and the clicks at which it is half believed. */
const shared = { most: 0.3, clicks: 100 }
/** How far back, and how far apart, the windows lie that show a query's variance beyond chance. */
const spreads = { days: 180, every: 3 }
/** Variance beyond chance: its minimum, its prior, and the prior's weight in windows. */
const beyond = { least: 0.0016, sum: 0.2, windows: 20, own: 6 }
/** Smaller changes aren't reported. */
const smallest: Record<Direction, number> = { fall: 0.1, rise: 1 / 9 }
/** Of all queries together: variance beyond chance as above, the smallest changes, and how many queries there must be. */
const together = { least: 0.0004, sum: 0.01, windows: 4, smallest: { fall: 0.06, rise: 1 / 0.94 - 1 }, queries: 5 }

/** How many days before the evaluated one have to be read. */
export const rateDays = spreads.days + baseDays.most + 14 + 1

/**
 * Evaluates the CTR of several queries together. A window's clicks are compared with what its impressions bring at their positions: a
 * Poisson regression on position over the base gives clicks per unit, with recent days weighing more, and the change shared by all other
 * queries, be it the site's or the season's, is removed.
 * @param known whether a day is known, by index
 */
export function createRates(queries: readonly RateDays[], known: ArrayLike<boolean | number>) {
  const kept = new Map<number, Rated | null>()
  const rated = (query: number, length: number, end: number): Rated | null => {
    const key = (end * queries.length + query) * longest + length
    let found = kept.get(key)
    if (found === undefined) {
      found = rate(queries[query] as RateDays, known, length, end)
      kept.set(key, found)
    }
    return found
  }

  /** Removes the change shared by others. `among` are the queries evaluated together. */
  function windowOf(among: readonly number[], length: number, end: number): (Rated | null)[] {
    const all = among.map((query) => rated(query, length, end))
    let [clicks, expected] = [0, 0]
    const clamped = all.map((each) => (each ? clamp(each.clicks, each.expected / 2, each.expected * 2) : 0))
    for (const [i, each] of all.entries()) {
      clicks += clamped[i] ?? 0
      expected += each?.expected ?? 0
    }
    return all.map((each, i) => {
      if (!each) return null
      const others = expected - each.expected
      if (others <= 0) return each
      const trust = others / (others + shared.clicks)
      const ratio = Math.log((clicks - (clamped[i] ?? 0) + 0.5) / (others + 0.5))
      const common = clamp(ratio, -shared.most, shared.most) * trust
      return {
        ...each,
        expected: each.expected * Math.exp(common),
        base: { ...each.base, perUnit: each.base.perUnit * Math.exp(common) },
        residual: each.residual - common,
        variance: each.variance + trust ** 2 / others,
      }
    })
  }

  /** Each query's variance beyond chance, from windows that ended before the evaluated one began. */
  function spreadsOf(among: readonly number[], length: 7 | 14, end: number): number[] {
    const sums = among.map(() => ({ squares: 0, weight: 0 }))
    const weight = spreads.every / length
    for (let past = end - length; past > end - length - spreads.days && past >= length; past -= spreads.every) {
      for (const [i, each] of windowOf(among, length, past).entries()) {
        const sum = sums[i]
        if (!each || !sum) continue
        const limit = 3 * Math.sqrt(each.variance + 0.01)
        sum.squares += (clamp(each.residual, -limit, limit) ** 2 - each.variance) * weight
        sum.weight += weight
      }
    }
    const all = sums.reduce((total, each) => ({ squares: total.squares + each.squares, weight: total.weight + each.weight }))
    const pool = Math.max(beyond.least, (all.squares + beyond.sum) / (all.weight + beyond.windows))
    return sums.map(({ squares, weight: own }) => Math.max(beyond.least, pool / 2, (beyond.own * pool + squares) / (beyond.own + own)))
  }

  /** The sums of all, with nothing shared removed; null with too few queries. */
  function sumsOf(all: readonly (Rated | null)[], fewest = together.queries): Omit<Rated, 'base'> | null {
    const rates = all.flatMap((each) => each ?? [])
    if (rates.length < fewest) return null
    const sum = (of: (each: Rated) => number): number => rates.reduce((total, each) => total + of(each), 0)
    const [clicks, expected] = [sum((each) => each.clicks), sum((each) => each.expected)]
    return {
      clicks,
      impressions: sum((each) => each.impressions),
      expected,
      residual: Math.log((clicks + 0.5) / (expected + 0.5)),
      variance: sum((each) => each.variance * each.expected ** 2) / expected ** 2,
    }
  }

  /** The variance of that beyond chance, from windows that ended before the evaluated one began. */
  function spreadTogether(among: readonly number[], length: 7 | 14, end: number): number {
    let [squares, weight] = [0, 0]
    for (let past = end - length; past > end - length - spreads.days && past >= length; past -= spreads.every) {
      const each = sumsOf(among.map((query) => rated(query, length, past)))
      if (!each) continue
      const limit = 3 * Math.sqrt(each.variance + 0.01)
      squares += ((clamp(each.residual, -limit, limit) ** 2 - each.variance) * spreads.every) / length
      weight += spreads.every / length
    }
    return Math.max(together.least, (together.sum + squares) / (together.windows + weight))
  }

  /**
   * Tests the change that all queries share, which `testEach` removes from each; null if nothing can be said. It must show without the
   * query that changed most as well: a change of one query is that query's.
   */
  function testTogether(among: readonly number[], end: number, direction: Direction): RateTested | null {
    let most: RateTested | null = null
    for (const length of lengths) {
      const now = among.map((query) => rated(query, length, end))
      const all = sumsOf(now)
      if (!all) continue
      const sign = direction === 'fall' ? 1 : -1
      const moved = now.reduce<Rated | null>(
        (far, each) => (each && (!far || sign * (each.expected - each.clicks) > sign * (far.expected - far.clicks)) ? each : far),
        null,
      )
      const others = sumsOf(
        now.filter((each) => each !== moved),
        together.queries - 1,
      )
      const own = spreadTogether(among, length, end)
      const scores = [all, others].map((each) =>
        each ? scoreOf(each.clicks, each.expected, each.variance + own, direction, together.smallest) : 0,
      )
      const score = Math.min(...scores)
      const { clicks, impressions, expected, variance } = all
      if ((most?.score ?? -1) < score) most = { length, clicks, impressions, expected, score, variance: variance + own }
    }
    return most
  }

  /** Tests the windows that end at index `end`, in the order of `among`: the more telling of the two; null if nothing can be said. */
  function testEach(among: readonly number[], end: number, direction: Direction): (RateTested | null)[] {
    if (among.length === 0) return []
    const most: (RateTested | null)[] = among.map(() => null)
    for (const length of lengths) {
      const now = windowOf(among, length, end)
      if (now.every((each) => each === null)) continue
      const own = spreadsOf(among, length, end)
      for (const [i, each] of now.entries()) {
        if (!each) continue
        const { clicks, impressions, expected } = each
        const variance = each.variance + (own[i] ?? 0)
        const score = scoreOf(clicks, expected, variance, direction, smallest)
        if ((most[i]?.score ?? -1) < score) most[i] = { length, clicks, impressions, expected, score, variance }
      }
    }
    return most
  }

  /**
   * Each day of a window with the clicks expected of it, as they are compared: of one of the queries in `among`, or of all together; null if
   * nothing can be said.
   */
  function daysOf(query: number | 'all', among: readonly number[], length: number, end: number): RateDay[] | null {
    const rates = query === 'all' ? among.map((each) => rated(each, length, end)) : windowOf(among, length, end)
    const used = among.flatMap((each, i) => (rates[i] && (query === 'all' || query === each) ? [{ each, base: rates[i].base }] : []))
    if (used.length < (query === 'all' ? together.queries : 1)) return null
    return Array.from({ length }, (_, k) => {
      const i = end - length + 1 + k
      const day: RateDay = { at: i, clicks: 0, impressions: 0, expected: 0 }
      for (const { each, base } of used) {
        const days = queries[each] as RateDays
        day.clicks += days.clicks[i] as number
        day.impressions += days.impressions[i] as number
        day.expected += expectedOn(days, base, i)
      }
      return day
    })
  }

  /** The CTR of some queries together over the longer window, however few impressions they have; null without any. */
  function rateOf(some: readonly number[], end: number): number | null {
    let [clicks, impressions] = [0, 0]
    for (const query of some) {
      for (let i = Math.max(0, end + 1 - lengths[1]); i <= end; i++) {
        const days = queries[query] as RateDays
        clicks += days.clicks[i] as number
        impressions += days.impressions[i] as number
      }
    }
    return impressions === 0 ? null : clicks / impressions
  }
  return { testEach, testTogether, daysOf, rateOf }
}
export type Rates = ReturnType<typeof createRates>

/** A fall is measured by 2·(1 − √(k/E)), whose variance doesn't depend on its size. */
function scoreOf(clicks: number, expected: number, variance: number, direction: Direction, least: Record<Direction, number>): number {
  const sign = direction === 'fall' ? 1 : -1
  if (sign * (1 - clicks / expected) < least[direction]) return 0
  return Math.max(0, (sign * 2 * (1 - Math.sqrt((clicks + 3 / 8) / (expected + 3 / 8)))) / Math.sqrt(variance))
}
