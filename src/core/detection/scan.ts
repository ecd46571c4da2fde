import type { Direction } from './expectation.ts'
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

export const directions: readonly Direction[] = ['fall', 'rise']

/** Past days below which a series is too short to be scanned (small-counts.ts judges it instead). */
export const fewestPastDays = 70

/** Residuals of at most so many days back say how far a series varies. */
const scaleDays = 400
/** What residuals of an ordinary site vary by, by the length of the window. */
const usualScale: Record<WindowLength, number> = { 3: 0.08, 5: 0.072, 7: 0.066, 10: 0.066, 14: 0.07 }
/** With how many residuals of its own a series outweighs that; a restless one does so sooner. */
const shrinkage = { steady: 60, restless: 10 }
/** From so many residuals on, how far the worst of them go counts beside how far most go. */
const tail = { from: 90, weight: 0.35, share: 0.03, deviations: 1.88 }
/** Smaller changes are none, in logarithms: a fall by less than 11 %, a rise by less than 16 %. Levels of large sites wander by as much. */
const smallest: Record<Direction, number> = { fall: -Math.log(0.89), rise: Math.log(1.16) }
/** What a window of three days has to exceed others by. */
const shortMargin = 0.2
/** What holidays, when they are compared after all, add to the scale, by their share of the window. */
const holidayScale = 0.3
/** Of a day of which less is expected than this, chance may leave nothing. */
const fewestOfADay = 30
/** The same season a year ago: whole weeks back, give or take three days, and the part of a change then that it explains. */
const yearDays = 364
const yearSlack = 3
const explained = 0.9

/** How far one window deviates; `score` is in standard deviations. */
export type Scored = {
  score: number
  length: WindowLength
  actual: number
  expected: number
  scale: number
  days: number
  /** What the last day has of what was expected of it; null where too little was. */
  lastDay: number | null
}

type BySide<T> = Record<Direction, T>
type ByLength<T> = Record<WindowLength, T>
/** How residuals of a window are spread while nothing happens: below their median, and above it. */
type Scale = { median: number; below: number; above: number }

/** What is carried from day to day, as JSON. */
export type ScanState = {
  /** Number of the last day that was judged. */
  through: number
  /** By window, in ten-thousandths, the oldest first; null where there was none. */
  residuals: ByLength<(number | null)[]>
  scales: ByLength<Scale>
}

const precision = 10_000
/** Residuals that are kept: those of the season a year ago lie furthest back. */
const keptResiduals = Math.max(scaleDays + 14, yearDays + yearSlack + 1)

export type Judged = { day: number } & BySide<Scored | null>

const byLength = <T>(of: (length: WindowLength) => T): ByLength<T> =>
  Object.fromEntries(windowLengths.map((length) => [length, of(length)])) as ByLength<T>

/**
 * Judges day after day as each would have been judged in the evening: a later day changes nothing of an earlier verdict.
 * @param from where an earlier scan of the same series left off; null to begin with its first day
 */
export function scan(series: Prepared, from: ScanState | null): { state: ScanState; judged: Judged[] } {
  const state: ScanState = from
    ? structuredClone(from)
    : {
        through: series.first - 1,
        residuals: byLength(() => []),
        scales: byLength((length) => ({ median: 0, below: usualScale[length], above: usualScale[length] })),
      }
  const expectations = createExpectations(series)
  const judged: Judged[] = []
  for (let end = state.through - series.first + 1; end < series.counts.length; end++) {
    const day = series.first + end
    // Once a week is enough, on a weekday of its own whenever the scan began.
    if (day % 7 === 0) for (const length of windowLengths) state.scales[length] = scaleOf(state.residuals[length], length)
    judged.push({ day, ...judgeDay(series, expectations, end, state) })
    state.through = day
  }
  return { state, judged }
}

/** The windows of the day that deviate most; notes the residuals of all. */
function judgeDay(series: Prepared, expectations: Expectations, end: number, { residuals, scales }: ScanState): BySide<Scored | null> {
  const most: BySide<Scored | null> = { fall: null, rise: null }
  for (const length of windowLengths) {
    const past = residuals[length]
    const ordinary = compareWindow(series, expectations, { end, length, days: 'ordinary' })
    if (end >= fewestPastDays) {
      const lastYear = yearAgo(past)
      // What goes on over holidays is a change, if it goes far beyond what holidays do.
      const all = ordinary?.days === length ? null : compareWindow(series, expectations, { end, length, days: 'known' })
      const holidays = all ? all.days - (ordinary?.days ?? 0) : 0
      for (const direction of directions) {
        if (ordinary) keep(direction, scored(ordinary, { direction, length, scale: scales[length], lastYear, widened: 0 }))
        if (all && holidays > 0)
          keep(
            direction,
            scored(all, { direction, length, scale: scales[length], lastYear: null, widened: (holidayScale * holidays) / all.days }),
          )
      }
    }
    past.push(ordinary ? Math.round(residualOf(ordinary.actual, ordinary.level.latest * ordinary.share) * precision) : null)
    if (past.length > keptResiduals) past.shift()
  }
  return most

  function keep(direction: Direction, found: Scored): void {
    if (most[direction] === null || found.score > most[direction].score) most[direction] = found
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

/** Mirrored for rises, so that what is looked for is below zero. */
function scored({ actual, share, level, days, last }: Compared, { direction, length, scale, lastYear, widened }: Scoring): Scored {
  const sign = direction === 'fall' ? 1 : -1
  const expected = level[direction] * share
  const usual = (direction === 'fall' ? scale.below : scale.above) + widened
  const explains = lastYear === null ? 0 : explained * Math.min(0, sign * lastYear + usual)
  const deviation = sign * residualOf(actual, expected) - explains
  // Counts vary by themselves, the more the fewer they are (Poisson).
  const noise = Math.sqrt(usual ** 2 + 1 / Math.max(1, expected))
  const z = deviation > -smallest[direction] ? 0 : Math.max(0, ((sign * scale.median) / 2 - deviation) / noise)
  return {
    score: Math.max(0, length === 3 ? z - shortMargin : z),
    length,
    actual,
    expected: expected * Math.exp(sign * explains),
    scale: usual,
    days,
    lastDay: last && level[direction] * last.share >= fewestOfADay ? last.actual / (level[direction] * last.share) : null,
  }
}

/** The residual of the same days of last year; null where there are none. The list does not have today's yet. */
function yearAgo(past: readonly (number | null)[]): number | null {
  const lastYear = new Float64Array(2 * yearSlack + 1)
  let n = 0
  for (let i = Math.max(0, past.length - yearDays - yearSlack); i <= past.length - yearDays + yearSlack; i++) {
    const residual = past[i] ?? null
    if (residual !== null) lastYear[n++] = residual / precision
  }
  return n === 0 ? null : median(lastYear.subarray(0, n))
}

/** How far residuals of a window vary while nothing happens. Those of windows that reach into the judged one are left out. */
function scaleOf(residuals: readonly (number | null)[], length: WindowLength): Scale {
  const usual = usualScale[length]
  const all = new Float64Array(scaleDays + 1)
  let n = 0
  for (let i = Math.max(0, residuals.length - scaleDays - length); i <= residuals.length - length; i++) {
    const each = residuals[i] ?? null
    if (each !== null) all[n++] = each / precision
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
    below: mixed(middle - quantile(own, tail.share)),
    above: mixed(quantile(own, 1 - tail.share) - middle),
  }
}
