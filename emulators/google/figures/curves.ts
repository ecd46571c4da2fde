import { unit, mix } from './random.ts'
import { weekday } from '../dates.ts'

// Fraction of impressions clicked at positions 1, 2, 3 …, roughly as published click studies agree.
const CTR_AT = [0.285, 0.152, 0.101, 0.072, 0.053, 0.041, 0.033, 0.027, 0.023, 0.02, 0.0125, 0.0105, 0.009, 0.008]
const STEPS = 10
const MAX_POSITION = 100

const ctrTable = new Float64Array(MAX_POSITION * STEPS + 1)
const reachTable = new Float64Array(MAX_POSITION * STEPS + 1)
for (let i = 0; i < ctrTable.length; i++) {
  const position = Math.max(1, i / STEPS)
  const low = Math.floor(position) - 1
  const tail = (p: number): number => CTR_AT[p] ?? 0.008 * Math.exp(-(p - 13) / 12)
  ctrTable[i] = tail(low) + (tail(low + 1) - tail(low)) * (position - 1 - low)
  // Few people open the second page of results, fewer the third.
  reachTable[i] = position <= 10 ? 1 : Math.max(0.04, Math.exp(-(position - 10) / 14))
}

function slot(position: number): number {
  return position < 1 ? STEPS : position > MAX_POSITION ? MAX_POSITION * STEPS : (position * STEPS) | 0
}

/** Expected click-through rate at an average position. */
export function ctrAt(position: number): number {
  return ctrTable[slot(position)] ?? 0
}

/** Fraction of a query's searches in which a result at this position is seen at all. */
export function reachAt(position: number): number {
  return reachTable[slot(position)] ?? 0
}

export interface Season {
  /** Factors for Sunday … Saturday. */
  readonly week: readonly number[]
  /** Strength of the yearly wave, 0 to 1, and the day of the year of its peak. */
  readonly yearly: number
  readonly peakDay: number
  /** Growth per year: 0.2 is 20 percent. */
  readonly growth: number
  /** Factors for single days of the year, by MM-DD. */
  readonly holidays: Readonly<Record<string, number>>
}

const GROWTH_SINCE = 19_723 // 2024-01-01

/** How much busier than average a property is on a day: week, year, growth, holidays and a little weather. */
export function seasonFactor(season: Season, day: number, seed: number, isoDate: string): number {
  const year = Math.cos((2 * Math.PI * (day - GROWTH_SINCE - season.peakDay)) / 365.25)
  // Growth flattens after six years so that a distant date stays believable.
  const years = Math.min(6, Math.max(-3, (day - GROWTH_SINCE) / 365.25))
  const weather = 0.96 + 0.08 * unit(mix(seed, day))
  return (
    (season.week[weekday(day)] ?? 1) *
    (1 + season.yearly * year) *
    (1 + season.growth) ** years *
    (season.holidays[isoDate.slice(5)] ?? 1) *
    weather
  )
}
