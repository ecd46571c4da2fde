import type { Direction } from './expectation.ts'
import { isOutage, type Outage } from './outages.ts'
import { clamp, median, quantile, spread } from './robust.ts'
import type { Prepared } from './series.ts'
import {
  type Compared,
  compareWindow,
  createExpectations,
  type Expectations,
  residualOf,
  type WindowLength,
  windowLengths,
} from './windows.ts'
import { explained, yearDays, yearSlack } from './year-ago.ts'

export const directions: readonly Direction[] = ['fall', 'rise']

/** With fewer days of history, a series is too short to be scanned (small-counts.ts evaluates it instead). */
export const fewestPastDays = 70

/** How many days back residuals show how far a series varies. */
const scaleDays = 400
/** Standard deviation of an ordinary site's residuals, by window length. */
const usualScale: Record<WindowLength, number> = { 3: 0.08, 5: 0.072, 7: 0.066, 10: 0.066, 14: 0.07 }
/** How many residuals of its own outweigh that; a volatile series needs fewer. */
const shrinkage = { steady: 60, restless: 10 }
/** From this many residuals on, the most extreme ones count as well as the typical ones. */
const tail = { from: 90, weight: 0.35, share: 0.03, deviations: 1.88 }
/** How many days a dip, and the rise after it, may take, and the share of its depth that the rise has. */
const dip = { days: 28, back: 0.5 }
/** Smallest changes to report: levels of large sites drift by less. */
export const smallestChange: Record<Direction, number> = { fall: 0.11, rise: 0.16 }
/**
 * A season last year of this many standard deviations isn't due to chance, so it counts in full when deciding whether a site is back. From
 * a smaller one, what chance may have added is left out.
 */
const clearSeason = 3
/** In logarithms. */
const smallest: Record<Direction, number> = { fall: -Math.log(1 - smallestChange.fall), rise: Math.log(1 + smallestChange.rise) }
/** The share of the smallest change, or of a rule's threshold, that keeps an open alert open: the same change isn't reported twice. */
export const lastingShare = 0.7
/**
 * Below this expected daily count, a fall can't be measured: in logarithms, a day without any clicks counts as one half (series.ts). This
 * applies to whole sites, and to weekdays on which a site never has any.
 */
const nothing = 1
/** How far a three-day window must exceed the others. */
const shortMargin = 0.2
/** How much holidays, if compared after all, widen the scale, by their share of the window. */
const holidayScale = 0.3
/** If less than this is expected on a day, it may end up with nothing by chance. */
const fewestOfADay = 30

/** How far one window deviates, in standard deviations; `score` is 0 for changes too small to report, `lasting` for even smaller ones. */
export type Scored = {
  score: number
  lasting: number
  length: WindowLength
  actual: number
  expected: number
  /** The factor by which last year's season changes what would otherwise be usual. */
  seasonal: number
  scale: number
  days: number
  /** How many of them have next to nothing. */
  gone: number
  /** The last day's share of its expectation; null if too little was expected. */
  lastDay: number | null
}

type BySide<T> = Record<Direction, T>
type ByLength<T> = Record<WindowLength, T>
/** Spread of a window's residuals while nothing happens, below and above their median. */
type Scale = { median: number; below: number; above: number }

/** The state carried from day to day, as JSON. */
export type ScanState = {
  /** Number of the last evaluated day. */
  through: number
  /** By window, in ten-thousandths, oldest first; null where there was none. */
  residuals: ByLength<(number | null)[]>
  scales: ByLength<Scale>
}

const precision = 10_000
/** How many residuals are kept: those of last year's season lie furthest back. */
const keptResiduals = Math.max(scaleDays + 14, yearDays + yearSlack + 1)

/** All windows, and the one that deviates most of those that may open an alert. */
type Furthest = { opening: Scored; windows: Scored[] }
/** `over`: the outages that are over by that evening. */
export type ScannedDay = { day: number; over: readonly Outage[] } & BySide<Furthest | null>

const byLength = <T>(of: (length: WindowLength) => T): ByLength<T> =>
  Object.fromEntries(windowLengths.map((length) => [length, of(length)])) as ByLength<T>

/**
 * Evaluates each day as it would have been evaluated that evening: later days never change an earlier verdict.
 * @param from where an earlier scan of the same series left off; null to begin with its first day
 */
export function scan(series: Prepared, from: ScanState | null): { state: ScanState; days: ScannedDay[] } {
  const state: ScanState = from
    ? structuredClone(from)
    : {
        through: series.first - 1,
        residuals: byLength(() => []),
        scales: byLength((length) => ({ median: 0, below: usualScale[length], above: usualScale[length] })),
      }
  const expectations = createExpectations(series)
  const days: ScannedDay[] = []
  for (let end = state.through - series.first + 1; end < series.counts.length; end++) {
    const day = series.first + end
    // Once a week is enough, on the same weekday whenever the scan began.
    if (day % 7 === 0) for (const length of windowLengths) state.scales[length] = scaleOf(state.residuals[length], length)
    days.push({ day, over: expectations.over(end), ...scanDay(series, expectations, end, state) })
    state.through = day
  }
  return { state, days }
}

/** The day's most deviating windows; records the residuals of all. */
function scanDay(series: Prepared, expectations: Expectations, end: number, { residuals, scales }: ScanState): BySide<Furthest | null> {
  const most: BySide<Furthest | null> = { fall: null, rise: null }
  const over = expectations.over(end)
  for (const length of windowLengths) {
    const past = residuals[length]
    forget(past, over, end)
    // An outage that is over is no fall, but the return from it is a rise.
    const forFalls = compared(length, over)
    const forRises = over.length === 0 ? forFalls : compared(length, [])
    if (end >= fewestPastDays) {
      const lastYear = yearAgo(past)
      for (const direction of directions) {
        const { ordinary, all, holidays } = direction === 'fall' ? forFalls : forRises
        if (ordinary) keep(direction, scored(ordinary, { direction, length, scale: scales[length], lastYear, widened: 0 }))
        if (all && holidays > 0)
          keep(
            direction,
            scored(all, { direction, length, scale: scales[length], lastYear: null, widened: (holidayScale * holidays) / all.days }),
          )
      }
    }
    const { ordinary } = forFalls
    past.push(ordinary ? Math.round(residualOf(ordinary.actual, ordinary.level.latest * ordinary.share) * precision) : null)
    if (past.length > keptResiduals) past.shift()
  }
  return most

  function compared(length: WindowLength, outages: readonly Outage[]) {
    const ordinary = compareWindow(series, expectations, { end, length, days: 'ordinary', outages })
    // A deviation over holidays is a change if it goes far beyond what holidays do.
    const all = ordinary?.days === length ? null : compareWindow(series, expectations, { end, length, days: 'known', outages })
    return { ordinary, all, holidays: all ? all.days - (ordinary?.days ?? 0) : 0 }
  }

  function keep(direction: Direction, found: Scored): void {
    const { opening, windows } = most[direction] ?? { opening: found, windows: [] }
    most[direction] = { opening: found.score > opening.score ? found : opening, windows: [...windows, found] }
  }
}

type Scoring = {
  direction: Direction
  length: WindowLength
  scale: Scale
  /** The residual of the same season a year ago. */
  lastYear: number | null
  /** What holidays add to the scale. */
  widened: number
}

/** Mirrored for rises, so that changes are always below zero. */
function scored({ actual, share, level, days, gone, last }: Compared, { direction, length, scale, lastYear, widened }: Scoring): Scored {
  const sign = direction === 'fall' ? 1 : -1
  const expected = level[direction] * share
  const usual = (direction === 'fall' ? scale.below : scale.above) + widened
  const explains = lastYear === null ? 0 : explained * Math.min(0, sign * lastYear + usual)
  const deviation = sign * residualOf(actual, expected) - explains
  // Counts vary by chance, relatively more the smaller they are (Poisson).
  const noise = Math.sqrt(usual ** 2 + 1 / Math.max(1, expected))
  const isGone = direction === 'fall' && (level.fall < nothing || expected < nothing * days)
  const z = isGone ? 0 : Math.max(0, ((sign * scale.median) / 2 - deviation) / noise - (length === 3 ? shortMargin : 0))
  return {
    score: deviation > -smallest[direction] ? 0 : z,
    lasting: deviation > -lastingShare * smallest[direction] ? 0 : z,
    length,
    actual,
    expected: expected * Math.exp(sign * explains),
    seasonal: lastYear !== null && sign * lastYear < -clearSeason * usual ? Math.exp(lastYear) : Math.exp(sign * explains),
    scale: usual,
    days,
    gone,
    lastDay: last && level[direction] * last.share >= fewestOfADay ? last.actual / (level[direction] * last.share) : null,
  }
}

/**
 * An outage is no season, nor does it show how far a series varies: once it is over, the residuals of the evenings up to then, some of
 * whose windows it covers only in part, are unknown. The list ends with that of the evening before `end`.
 */
function forget(past: (number | null)[], over: readonly Outage[], end: number): void {
  for (const outage of over)
    for (let i = Math.max(outage.start, end - past.length); i < Math.min(outage.over, end); i++) past[past.length - end + i] = null
}

/** The residual of the same days last year, except those of an outage; null if there is none. The list doesn't include today's yet. */
function yearAgo(past: readonly (number | null)[]): number | null {
  const lastYear = new Float64Array(2 * yearSlack + 1)
  let n = 0
  for (let i = Math.max(0, past.length - yearDays - yearSlack); i <= past.length - yearDays + yearSlack; i++) {
    const residual = past[i] ?? null
    if (residual !== null && !isOutage(residual / precision)) lastYear[n++] = residual / precision
  }
  return n === 0 ? null : median(lastYear.subarray(0, n))
}

/** How far a window's residuals vary while nothing happens, without those of windows that overlap the evaluated one. */
function scaleOf(residuals: readonly (number | null)[], length: WindowLength): Scale {
  const usual = usualScale[length]
  const all = new Float64Array(scaleDays + 1)
  let n = 0
  for (let i = Math.max(0, residuals.length - scaleDays - length); i <= residuals.length - length; i++) {
    const each = residuals[i] ?? null
    if (each !== null && !isOutage(each / precision)) all[n++] = each / precision
  }
  if (n === 0) return { median: 0, below: usual, above: usual }
  const own = all.subarray(0, n)
  const middle = median(own)
  const spreadOf = spread(own, middle)
  const weight = spreadOf > usual ? shrinkage.restless : shrinkage.steady
  const shrunk = (n * spreadOf + weight * usual) / (n + weight)
  const mixed = (toTail: number) => {
    const scale = n < tail.from ? shrunk : (1 - tail.weight) * shrunk + (tail.weight * toTail) / tail.deviations
    return scale * (1 + length / Math.max(7, n))
  }
  return {
    median: clamp(middle, -usual, usual),
    below: mixed(middle - quantile(withoutDip(own, middle), tail.share)),
    above: mixed(quantile(own, 1 - tail.share) - middle),
  }
}

/**
 * Residuals without those of the lowest stretch below the median if it was a dip that is over, after which the series rose about as far:
 * a single dip doesn't show how often there are any. A dip that follows a rise is the end of that rise, or of a season.
 */
function withoutDip(own: Float64Array, middle: number): Float64Array {
  let lowest = 0
  for (let i = 1; i < own.length; i++) if ((own[i] as number) < (own[lowest] as number)) lowest = i
  const isLow = (i: number): boolean => (own[i] as number) < middle
  let [from, to] = [lowest, lowest + 1]
  while (from > 0 && lowest - from < dip.days && isLow(from - 1)) from--
  while (to < own.length && to - lowest < dip.days && isLow(to)) to++
  const least = middle + dip.back * (middle - (own[lowest] as number))
  const rose = (some: Float64Array): boolean => some.some((each) => each >= least)
  if (rose(own.subarray(Math.max(0, from - dip.days), from)) || !rose(own.subarray(to, to + dip.days))) return own
  return own.filter((_, i) => i < from || i >= to)
}
