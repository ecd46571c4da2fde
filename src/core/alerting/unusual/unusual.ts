import { clamp, median, spread } from '../../detection/robust.ts'
import { figureOf, type Sums } from '../figures.ts'
import type { AlertMetric } from '../rule.ts'
import { seasonWeeks } from '../windows.ts'

/** The part of an entity's past that shows what is usual for it. */
export type Past = {
  /** The weeks before the current one, the latest first, as far back as they are known without a gap. */
  weeks: readonly Sums[]
  /** The same week a year ago and the weeks around it, in the order of `yearBefore`; empty if any of them is unknown. */
  yearAgo: readonly Sums[]
  /** Whether earlier weeks were left out because Google counted them differently (analytics/anomalies.ts). */
  isCut?: boolean
}

/**
 * The expected value of a week, and the values beyond which it is unusual: seen less than once in three months by a rule evaluated daily.
 */
export type Usual = {
  expected: number
  low: number
  high: number
  /** By how much weeks vary, as a share; in places for positions. */ varies: number
  /** How many standard deviations a value is from what is expected. */
  deviationsOf: (value: number) => number
}

/**
 * With fewer weeks nothing can be said about what is usual. After Google starts to count differently, one week is enough: the variation
 * of an ordinary page or query stands in for the weeks that cannot be compared, or else every change would look unusual.
 */
const fewestOf = ({ isCut }: Past): number => (isCut ? 1 : 4)
/** Standard deviations from which a week is unusual. CTR needs more: it is evaluated for twenty queries a day. Counts: for one entity. */
export const deviations: Record<AlertMetric, number> = { clicks: 2.6, impressions: 2.6, ctr: 4, position: 3 }
/** Minimum expected clicks for a CTR to mean anything: with fewer, even none may be chance, and the deviations above measure nothing. */
const fewestExpected = 10
/** Weight of a week relative to the next one. */
const fading = 0.75
/** The level's largest ratio to the median of its weeks, either way, so that a spike or an outage isn't expected again. */
const headroom = 1.15
/** Prior from an ordinary page or query: its weight in weeks, and the relative variance of counts, of CTR, and of positions. */
const ordinary = {
  weeks: 4,
  counts: 0.0064,
  smallest: 0.002,
  ctrWeeks: 6,
  ctr: 0.01,
  smallestCtr: 0.0016,
  places: 0.36,
  smallestPlaces: 0.04,
}
/** Caps a week's distance from the median, so that one spike or outage doesn't make everything look usual. */
const cap = { deviations: 3, root: 3, counts: 2 }
/** The share of last year's seasonal change that is expected again. */
const seasonal = 0.9
/**
 * A week below this share of the weeks before it is an outage if a later one has at least the other share: five days without any leave 2/7.
 */
const outage = { below: 1 / 3, back: 2 / 3 }
/** How CTR depends on position, e^(slope · ln position): the prior slope, and how far a query may be from it. */
const slope = { mean: -1, deviation: 0.5, lowest: -2.5 }

/**
 * How many standard deviations any of `among` counts exceeds by chance as rarely as a single count exceeds `deviations`: the tail, about
 * e^(−z²/2)/z, is `among` times smaller (Bonferroni).
 */
function deviationsAmong(metric: 'clicks' | 'impressions', among: number): number {
  const alone = deviations[metric]
  let z = alone
  for (let step = 0; step < 3; step++) z = Math.sqrt(alone ** 2 + 2 * Math.log((Math.max(1, among) * alone) / z))
  return z
}

/**
 * The expected value of the current week; null if the past is too short to tell.
 * @param current the week's impressions and position, on which its expected CTR depends
 * @param among how many entities are looked at together; counts only
 */
export function usualOf(metric: AlertMetric, past: Past, current: Sums, among = 1): Usual | null {
  const fewest = fewestOf(past)
  if (past.weeks.length < fewest) return null
  switch (metric) {
    case 'clicks':
    case 'impressions':
      return usualCount(metric, past, deviationsAmong(metric, among))
    case 'ctr':
      return usualCtr(past.weeks, current, fewest)
    case 'position':
      return usualPosition(past.weeks, fewest)
  }
}

const weightOf = (age: number): number => fading ** age

/**
 * Negative binomial, compared on a scale where its variance is about 1: 2√(x + 3/8) / √(1 + φE), for the mean E and the overdispersion φ.
 * φ combines that of the entity's own weeks with that of an ordinary entity, plus the uncertainty of an expectation based on so few weeks.
 */
function usualCount(metric: 'clicks' | 'impressions', { weeks, yearAgo }: Past, far: number): Usual {
  const counts = weeks.map((week) => week[metric])
  const middle = median(counts)
  const limit = cap.deviations * spread(counts, middle) + cap.root * Math.sqrt(middle) + cap.counts
  const capped = counts.map((count) => clamp(count, Math.max(0, middle - limit), middle + limit))
  const { mean, variance } = momentsOf(capped)
  const own = mean > 0 ? Math.max(0, (variance - mean) / mean ** 2) : 0
  const phi = Math.max(
    ordinary.smallest,
    (ordinary.weeks * ordinary.counts + (counts.length - 1) * own) / (ordinary.weeks + counts.length - 1),
  )
  const weights = capped.map((_, age) => weightOf(age))
  const level = capped.reduce((sum, count, age) => sum + count * weightOf(age), 0) / sumOf(weights)
  const total = sumOf(capped)
  const dispersion = 1.25 * phi + (total > 0 ? 1 / total : 0)
  const seasonOf = (sign: 1 | -1): number => Math.exp(seasonal * sign * Math.max(0, sign * seasonBefore(metric, yearAgo) - Math.sqrt(phi)))
  const bound = (expected: number, sign: 1 | -1): number => {
    const root = Math.sqrt(expected + 3 / 8) + (sign * far * Math.sqrt(1 + dispersion * expected)) / 2
    return root <= 0 ? 0 : Math.max(0, root ** 2 - 3 / 8)
  }
  const least = Math.min(level, headroom * middle) * seasonOf(-1)
  const most = Math.max(level, middle / headroom) * seasonOf(1)
  const beyond = (expected: number, value: number): number =>
    (2 * (Math.sqrt(value + 3 / 8) - Math.sqrt(expected + 3 / 8))) / Math.sqrt(1 + dispersion * expected)
  return {
    expected: clamp(level, middle / headroom, middle * headroom),
    low: bound(least, -1),
    high: bound(most, 1),
    deviationsOf: (value) => Math.max(0, -beyond(least, value), beyond(most, value)),
    varies: Math.sqrt(phi + 1 / Math.max(1, middle)),
  }
}

/** Natural logarithm of the same week a year ago relative to what was usual then; 0 if unknown, and for an outage, which is no season. */
function seasonBefore(metric: 'clicks' | 'impressions', [then, ...others]: readonly Sums[]): number {
  if (then === undefined || others.length === 0) return 0
  const usual = median(others.slice(0, seasonWeeks).map((week) => week[metric]))
  const after = others[seasonWeeks]?.[metric]
  if (after !== undefined && then[metric] < outage.below * usual && after > outage.back * usual) return 0
  return Math.log((then[metric] + 0.5) / (usual + 0.5))
}

/** Clicks given impressions and position: a CTR that fell only because the position did isn't unusual. */
function usualCtr(weeks: readonly Sums[], current: Sums, fewest: number): Usual | null {
  const shown = weeks.filter(({ impressions }) => impressions > 0)
  const clicked = sumOf(shown.map(({ clicks }) => clicks))
  if (shown.length < fewest || current.impressions === 0 || clicked < 5) return null
  const centre = sumOf(shown.map((week) => logPosition(week) * week.impressions)) / sumOf(shown.map(({ impressions }) => impressions))
  const b = slopeOf(shown, centre)
  const atCentre = (week: Sums): number => week.impressions * Math.exp(b * (logPosition(week) - centre))
  const sum = (of: (week: Sums, age: number) => number): number => sumOf(shown.map((week, age) => weightOf(age) * of(week, age)))
  const rate = (sum(({ clicks }) => clicks) + 0.5) / (sum(atCentre) + 0.5)
  const residuals = shown.map((week) => {
    const expected = rate * atCentre(week)
    const noise = (1 - Math.min(1, rate)) / Math.max(1, expected)
    const residual = clamp(Math.log((week.clicks + 0.5) / (expected + 0.5)), -3 * Math.sqrt(noise + 0.01), 3 * Math.sqrt(noise + 0.01))
    return residual ** 2 - noise
  })
  const beyond = Math.max(ordinary.smallestCtr, (ordinary.ctrWeeks * ordinary.ctr + sumOf(residuals)) / (ordinary.ctrWeeks + shown.length))
  const expected = rate * atCentre(current)
  const ctr = expected / current.impressions
  if (expected < fewestExpected) return { expected: ctr, low: 0, high: 1, varies: Math.sqrt(beyond), deviationsOf: () => 0 }
  const ofRate = (sum((week, age) => weightOf(age) * atCentre(week)) * rate + 0.5) / (sum(atCentre) * rate + 0.5) ** 2
  const deviation = Math.sqrt((1 - Math.min(1, rate)) / Math.max(1, expected) + ofRate + beyond)
  // A fall is measured as a share by 2·(1 − √(k/E)): exact to the second order, and finite without clicks.
  const root = (sign: 1 | -1): number => Math.max(0, 1 + (sign * deviations.ctr * deviation) / 2) ** 2
  const deviationsOf = (value: number): number => (2 * Math.abs(1 - Math.sqrt(value / ctr))) / deviation
  return { expected: ctr, low: ctr * root(-1), high: Math.min(1, ctr * root(1)), varies: Math.sqrt(beyond), deviationsOf }
}

/** Poisson regression of clicks on impressions at their positions, in three Newton steps from the prior. */
function slopeOf(weeks: readonly Sums[], centre: number): number {
  let b: number = slope.mean
  for (let step = 0; step < 3; step++) {
    const shares = weeks.map((week) => week.impressions * Math.exp(b * (logPosition(week) - centre)))
    const rate = sumOf(weeks.map(({ clicks }) => clicks)) / sumOf(shares)
    let [first, second] = [-(b - slope.mean) / slope.deviation ** 2, -1 / slope.deviation ** 2]
    for (const [i, week] of weeks.entries()) {
      const x = logPosition(week) - centre
      const mean = rate * (shares[i] ?? 0)
      const weight = 1 / (1 + 0.01 * mean)
      first += weight * x * (week.clicks - mean)
      second -= weight * x ** 2 * mean
    }
    b = clamp(b - first / second, slope.lowest, 0)
  }
  return b
}

const logPosition = (week: Sums): number => Math.log(Math.max(1, figureOf('position', week) ?? 1))

function usualPosition(weeks: readonly Sums[], fewest: number): Usual | null {
  const places = weeks.flatMap((week) => figureOf('position', week) ?? [])
  if (places.length < fewest) return null
  const middle = median(places)
  // A single incident among the weeks says nothing about how far they usually vary.
  const limit = cap.deviations * spread(places, middle)
  const kept = places.map((place) => clamp(place, middle - limit, middle + limit))
  const { variance } = momentsOf(kept)
  const varies = Math.max(
    ordinary.smallestPlaces,
    (ordinary.weeks * ordinary.places + (kept.length - 1) * variance) / (ordinary.weeks + kept.length - 1),
  )
  const level = sumOf(kept.map((place, age) => place * weightOf(age))) / sumOf(kept.map((_, age) => weightOf(age)))
  const far = deviations.position * Math.sqrt(varies)
  const deviationsOf = (value: number): number => Math.abs(value - level) / Math.sqrt(varies)
  return { expected: level, low: Math.max(1, level - far), high: level + far, varies: Math.sqrt(varies), deviationsOf }
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

function momentsOf(values: readonly number[]): { mean: number; variance: number } {
  const mean = sumOf(values) / values.length
  return { mean, variance: values.length < 2 ? 0 : sumOf(values.map((value) => (value - mean) ** 2)) / (values.length - 1) }
}
