import { clamp } from './robust.ts'

/** One query's days, by index; no entry depends on another day. */
export type RateDays = {
  clicks: ArrayLike<number>
  impressions: ArrayLike<number>
  /** Natural logarithms of the day's position; NaN for a day without one. */
  logPositions: ArrayLike<number>
}

/** A window's clicks compared with what its impressions bring at their positions. */
export type Rated = {
  clicks: number
  impressions: number
  expected: number
  residual: number
  variance: number
  /** What it rests on: clicks per unit, which is an impression at the central position, and how CTR depends on position. */
  base: { perUnit: number; slope: number; centre: number }
}

/** Days of history for an expectation: the maximum, and the minimum of known ones. */
export const baseDays = { most: 56, fewest: 28 }
const halfLife = 21
/** Minimum expected clicks for a window to be evaluated. */
const fewest = { expected: 10, impressions: 100, baseClicks: 5 }
/** How CTR depends on position, e^(slope · ln position): the prior slope, and how far a query may be from it. */
const slope = { mean: -1, deviation: 0.5, lowest: -2.5, steps: 3, noise: 0.01 }

/** The clicks that a day's impressions bring at their position. */
export function expectedOn({ impressions, logPositions }: RateDays, { perUnit, slope: b, centre }: Rated['base'], i: number): number {
  return perUnit * unitsOn(impressions[i] as number, logPositions[i] as number, b, centre)
}

const unitsOn = (impressions: number, logPosition: number, b: number, centre: number): number =>
  impressions * (Number.isNaN(logPosition) ? 1 : Math.exp(b * (logPosition - centre)))

/** Compares the window of that many days that ends at index `end`; null if nothing can be said. */
export function rate(
  { clicks, impressions, logPositions }: RateDays,
  known: ArrayLike<boolean | number>,
  length: number,
  end: number,
): Rated | null {
  const start = end - length + 1
  const begin = Math.max(0, start - baseDays.most)
  if (start - begin < baseDays.fewest) return null
  let [shown, clicked, now, nowShown, days, weighted] = [0, 0, 0, 0, 0, 0]
  for (let i = begin; i <= end; i++) {
    const isKnown = Boolean(known[i])
    if (i >= start) {
      if (!isKnown) return null
      now += clicks[i] as number
      nowShown += impressions[i] as number
    } else if (isKnown) {
      days += 1
      clicked += clicks[i] as number
      const x = logPositions[i] as number
      if (Number.isNaN(x)) continue
      shown += impressions[i] as number
      weighted += x * (impressions[i] as number)
    }
  }
  if (days < baseDays.fewest || shown === 0 || clicked < fewest.baseClicks || nowShown < fewest.impressions) return null
  const centre = weighted / shown
  const b = slopeOf({ clicks, impressions, logPositions }, known, begin, start, centre)
  const at = (i: number): number => unitsOn(impressions[i] as number, logPositions[i] as number, b, centre)
  let [counted, units, squares, unitsNow] = [0, 0, 0, 0]
  for (let i = begin; i <= end; i++) {
    if (!known[i]) continue
    const unit = at(i)
    if (i >= start) unitsNow += unit
    else {
      const weight = 0.5 ** ((start - 1 - i) / halfLife)
      counted += weight * (clicks[i] as number)
      units += weight * unit
      squares += weight ** 2 * unit
    }
  }
  const perUnit = Math.min(1, (counted + 0.5) / (units + 0.5))
  const expected = perUnit * unitsNow
  if (expected < fewest.expected) return null
  return {
    clicks: now,
    impressions: nowShown,
    expected,
    residual: Math.log((now + 0.5) / (expected + 0.5)),
    variance: (1 - perUnit) / Math.max(1, expected) + (perUnit * squares + 0.5) / (perUnit * units + 0.5) ** 2,
    base: { perUnit, slope: b, centre },
  }
}

/** Poisson regression of weekly clicks on impressions at their positions, in a few Newton steps from the prior. */
function slopeOf(
  { clicks, impressions, logPositions }: RateDays,
  known: ArrayLike<boolean | number>,
  begin: number,
  end: number,
  centre: number,
): number {
  const weeks: { clicks: number; impressions: number; x: number }[] = []
  for (let from = end - 7; from >= begin; from -= 7) {
    const week = { clicks: 0, impressions: 0, x: 0 }
    for (let i = from; i < from + 7; i++) {
      const x = logPositions[i] as number
      if (!known[i] || Number.isNaN(x)) continue
      week.clicks += clicks[i] as number
      week.impressions += impressions[i] as number
      week.x += (x - centre) * (impressions[i] as number)
    }
    if (week.impressions > 0) weeks.push({ ...week, x: week.x / week.impressions })
  }
  let b: number = slope.mean
  const total = weeks.reduce((sum, week) => sum + week.clicks, 0)
  for (let step = 0; step < slope.steps; step++) {
    const units = weeks.map((week) => week.impressions * Math.exp(b * week.x))
    const perUnit =
      total /
      Math.max(
        1e-9,
        units.reduce((sum, unit) => sum + unit, 0),
      )
    let [first, second] = [-(b - slope.mean) / slope.deviation ** 2, -1 / slope.deviation ** 2]
    for (const [i, week] of weeks.entries()) {
      const mean = perUnit * (units[i] ?? 0)
      const weight = 1 / (1 + slope.noise * mean)
      first += weight * week.x * (week.clicks - mean)
      second -= weight * week.x ** 2 * mean
    }
    b = clamp(b - first / second, slope.lowest, 0)
  }
  return b
}
