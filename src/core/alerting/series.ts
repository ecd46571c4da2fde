import type { IsoDate } from '../../contract/common.ts'
import { addDays, dayNumber } from '../analytics/days.ts'
import type { Sums } from './figures.ts'
import type { Window } from './rule.ts'

/** An entity's daily sums: `day` counts from the first requested day; days without impressions are absent. */
export type DailyFigures = {
  name: string
  day: readonly number[]
  clicks: readonly number[]
  impressions: readonly number[]
  positionSum: readonly number[]
  rankedImpressions: readonly number[]
}

/** The same as running totals, so that the sum of any window takes two lookups. */
export type Series = { name: string; firstSeen: IsoDate | null; sums(window: Window): Sums }

/** @param start the day that `day` counts from */
export function seriesOf(figures: DailyFigures, start: IsoDate, days: number): Series {
  const clicks = running(figures.day, figures.clicks, days)
  const impressions = running(figures.day, figures.impressions, days)
  const positions = running(figures.day, figures.positionSum, days)
  const ranked = running(figures.day, figures.rankedImpressions, days)
  const zero = dayNumber(start)
  const seen = figures.day.reduce<number | undefined>((least, day) => (least === undefined || day < least ? day : least), undefined)
  return {
    name: figures.name,
    firstSeen: seen === undefined ? null : addDays(start, seen),
    sums(window) {
      const from = clamp(dayNumber(window.start) - zero, days)
      const to = clamp(dayNumber(window.end) + 1 - zero, days)
      const within = (sums: Float64Array) => (sums[to] ?? 0) - (sums[from] ?? 0)
      const rankedImpressions = within(ranked)
      // Running totals of fractions leave rounding errors where the sum is zero.
      const positionSum = rankedImpressions === 0 ? 0 : within(positions)
      return { clicks: within(clicks), impressions: within(impressions), positionSum, rankedImpressions }
    },
  }
}

const clamp = (index: number, days: number): number => Math.min(Math.max(index, 0), days)

function running(day: readonly number[], values: readonly number[], days: number): Float64Array {
  const sums = new Float64Array(days + 1)
  for (const [i, at] of day.entries()) sums[at + 1] = values[i] ?? 0
  for (let i = 1; i <= days; i++) sums[i] = (sums[i] ?? 0) + (sums[i - 1] ?? 0)
  return sums
}
