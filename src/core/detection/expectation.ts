import { endedOutages, isWithin, type Outage } from './outages.ts'
import { clamp, median, spread } from './robust.ts'
import { type Prepared, weekdayOf } from './series.ts'

/** Falls are measured against an expectation that spikes don't raise, rises against one that outages don't lower. */
export type Direction = 'fall' | 'rise'

/** The expected count of a day, as known on the day before: level × the weekday's share. */
export type Expectation = {
  /** By weekday (series.ts): its share of an average day; 1 if the past doesn't tell. */
  shares: Float64Array
  /** Counts a day: of the latest weeks, and the levels that falls and rises are measured against. */
  level: Record<Direction | 'latest', number>
}

/** Days of history that weekday shares and levels are based on. */
const effectDays = 84
const levelDays = 35
/** Half-life of a day's weight in the level, in days. */
const halfLife = 5
const middleDays = 14
const usualDays = 28
/** How far above the usual level of the latest weeks, in logarithms, a somewhat shorter stretch may raise the expected level. */
const headroom = 0.05
/** A day this far below that of a week earlier, in logarithms, may begin an outage. */
const collapsed = -Math.log(3)
/** Deviations from the level are capped at this many standard deviations. */
const furthest = 3

/** Minimum days of history for a level. */
export const fewestDays = usualDays

const weights = Float64Array.from({ length: levelDays }, (_, age) => 0.5 ** (age / halfLife))

/**
 * The expectation for days from index `from` on; null if the past is too short. Reads only days before `from`.
 * @param outages those that are over; their days are ignored
 */
export function expectationBefore(series: Prepared, from: number, outages = outagesBefore(series, from)): Expectation | null {
  if (from < fewestDays) return null
  const effects = weekdayEffects(series, from, outages)
  const levels = levelsBefore(series, { from, effects, outages })
  const center = median(levels.subarray(-middleDays))
  const usual = median(levels.subarray(-usualDays))
  const limit = furthest * spread(levels, median(levels))
  let [sum, weight] = [0, 0]
  for (let i = 0; i < levels.length; i++) {
    const each = weights[levels.length - 1 - i] as number
    sum += each * clamp((levels[i] as number) - center, -limit, limit)
    weight += each
  }
  const level = center + sum / weight
  return {
    shares: effects.map(Math.exp),
    level: {
      latest: Math.exp(level),
      fall: Math.exp(Math.min(level, usual + headroom)),
      rise: Math.exp(Math.max(level, usual - headroom)),
    },
  }
}

/** Outages that are over before index `from`. */
export function outagesBefore(series: Prepared, from: number): readonly Outage[] {
  const begin = Math.max(0, from - effectDays)
  if (!collapses(series, begin, from)) return []
  const levels = levelsOf(series, { begin, from, effects: weekdayEffects(series, from, []) })
  return endedOutages(levels).map(({ start, end, over }) => ({ start: begin + start, end: begin + end, over: begin + over }))
}

/** Whether any day is so far below the same weekday a week earlier that an outage may have begun there. Checked first, since finding outages takes longer. */
function collapses({ logs }: Prepared, begin: number, from: number): boolean {
  for (let i = Math.max(7, begin); i < from; i++) if ((logs[i] as number) - (logs[i - 7] as number) < collapsed) return true
  return false
}

type Before = { from: number; effects: Float64Array }

/** Logarithms of the days from index `begin` to before `from`, without the effect of weekdays. */
function levelsOf(series: Prepared, { begin, from, effects }: Before & { begin: number }): Float64Array {
  const levels = new Float64Array(from - begin)
  for (let i = begin; i < from; i++) levels[i - begin] = (series.logs[i] as number) - (effects[weekdayOf(series, i)] as number)
  return levels
}

/** The latest levels outside outages. */
function levelsBefore(series: Prepared, { from, effects, outages }: Before & { outages: readonly Outage[] }): Float64Array {
  const latest = Math.max(0, from - levelDays)
  if (outages.length > 0) {
    const begin = Math.max(0, from - effectDays)
    const others = levelsOf(series, { begin, from, effects }).filter((_, i) => !isWithin(outages, begin + i))
    // A past that is little more than an outage is all there is.
    if (others.length >= fewestDays) return others.slice(-levelDays)
  }
  return levelsOf(series, { begin: latest, from, effects })
}

const isNear = (outages: readonly Outage[], i: number): boolean => outages.some(({ start, end }) => start <= i + 3 && i - 3 < end)

/** Median distance of each weekday from the seven days around it, which don't include any of an outage. */
function weekdayEffects(series: Prepared, from: number, outages: readonly Outage[]): Float64Array {
  const { logs } = series
  const distances = Array.from({ length: 7 }, () => ({ values: new Float64Array(effectDays / 7 + 1), length: 0 }))
  const begin = Math.max(3, from - effectDays + 3)
  let week = 0
  for (let i = begin - 3; i < begin + 3; i++) week += logs[i] as number
  for (let i = begin; i + 3 < from; i++) {
    week += logs[i + 3] as number
    if (series.ordinary[i] === 1 && !(outages.length > 0 && isNear(outages, i))) {
      const of = distances[weekdayOf(series, i)] as (typeof distances)[number]
      of.values[of.length++] = (logs[i] as number) - week / 7
    }
    week -= logs[i - 3] as number
  }
  return Float64Array.from(distances, ({ values, length }) => (length === 0 ? 0 : median(values.subarray(0, length))))
}
