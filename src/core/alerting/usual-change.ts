import { figureOf, type Sums } from './figures.ts'
import type { AlertMetric } from './rule.ts'

/** Fewer changes than this say nothing about what is usual. */
const fewest = 4
/** Standard deviations that a change has to exceed, of those from week to week; and the new level, of those around the usual one. */
const deviations = { change: 2.8, level: 5.4 }
/** Makes the median absolute deviation an estimate of the standard deviation. */
const normal = 1.4826
/** Earlier weeks that may have gone as far: an incident of a week lies in two. */
const asFar = 2
/** Share of the mean level that is added to sums before they are compared, so that a week of none is a large change and not an endless one. */
const floorShare = 0.02

/**
 * Whether a change stands out from those the entity goes through from week to week anyway, and the level it has come to
 * from those it has had. Changes are compared as ratios (places for positions), so the size of the site does not
 * matter; what is usual is a median, so a single incident among the weeks does not hide the next.
 * True where the history is too short to tell.
 * @param weeks the weeks before the current one, the latest first
 * @param isAgainstLately false for a comparison with last year, in which a level that has lasted for weeks is the point
 */
export function standsOut(metric: AlertMetric, previous: number, current: number, weeks: readonly Sums[], isAgainstLately = true): boolean {
  const levels = weeks.map((sums) => figureOf(metric, sums))
  const size = sizer(metric, levels, previous)
  const changes: number[] = []
  for (let i = 0; i + 1 < levels.length; i++) {
    const [from, to] = [levels[i + 1] ?? null, levels[i] ?? null]
    if (from !== null && to !== null) changes.push(size(from, to))
  }
  if (changes.length < fewest) return true
  const byChange = deviations.change * normal * median(changes)
  if (size(previous, current) <= byChange) return false
  if (!isAgainstLately) return true
  const known = levels.filter((level) => level !== null)
  const usual = median(known)
  const byLevel = deviations.level * normal * median(known.map((level) => size(usual, level)))
  const beyond = known.filter((level) => (current < usual ? level <= current : level >= current))
  return size(usual, current) > Math.max(byChange, byLevel) && beyond.length <= asFar
}

/**
 * The level the entity has had in most of its weeks; null where the history is too short to tell. Against it, what
 * follows a spike is no drop, and what follows an outage no spike.
 */
export function usualLevel(metric: AlertMetric, weeks: readonly Sums[]): number | null {
  const levels = weeks.flatMap((sums) => figureOf(metric, sums) ?? [])
  return levels.length > fewest ? median(levels) : null
}

function sizer(metric: AlertMetric, levels: readonly (number | null)[], previous: number): (from: number, to: number) => number {
  if (metric === 'position') return (from, to) => Math.abs(to - from)
  const known = [previous, ...levels.filter((level) => level !== null)]
  const floor = floorShare * (known.reduce((sum, level) => sum + level, 0) / known.length)
  return (from, to) => (floor === 0 ? Math.abs(to - from) : Math.abs(Math.log((to + floor) / (from + floor))))
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}
