import { figureOf, type Sums } from './figures.ts'
import type { AlertMetric } from './rule.ts'

/** Fewer changes than this say nothing about what is usual. */
const fewest = 4
/** A change as rare as one in some hundred weeks, were changes normally distributed. */
const deviations = 3
/** Makes the median absolute deviation an estimate of the standard deviation. */
const normal = 1.4826

/**
 * Whether a change stands out from those the entity goes through from week to week anyway. Changes are
 * compared as ratios (places for positions), so the size of the site does not matter; what is usual
 * is the median of earlier changes, so a single incident among them does not hide the next.
 * True where the history is too short to tell.
 * @param weeks the weeks before the current one, the latest first
 */
export function standsOut(metric: AlertMetric, previous: number, current: number, weeks: readonly Sums[]): boolean {
  const levels = weeks.map((sums) => figureOf(metric, sums))
  const changes: number[] = []
  for (let i = 0; i + 1 < levels.length; i++) {
    const change = sizeOf(metric, levels[i + 1] ?? null, levels[i] ?? null)
    if (change !== null) changes.push(change)
  }
  const size = sizeOf(metric, previous, current)
  if (changes.length < fewest || size === null) return true
  return size > deviations * normal * median(changes)
}

function sizeOf(metric: AlertMetric, from: number | null, to: number | null): number | null {
  if (from === null || to === null) return null
  if (metric === 'position') return Math.abs(to - from)
  return from > 0 && to > 0 ? Math.abs(Math.log(to / from)) : null
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}
