import type { Sums } from '../figures.ts'
import type { AlertMetric } from '../rule.ts'
import { historyWeeks } from '../windows.ts'
import { deviations, type Past, usualOf } from './unusual.ts'

/**
 * What was expected of the compared week, going by the entity's own past: the value, its usual range, and about how many months pass
 * between values this far off; absent if they are common or if the past is too short to tell.
 */
export type ExpectedValue = { value: number; low: number; high: number; months?: number }

/** Months between weeks outside the usual range (unusual.ts), and standard deviations that make it ten times as many. */
const rarity = { months: 3, tenfold: 1.2, most: 60 }

/**
 * What was expected of a week; null if the past is too short to tell, or says nothing about it.
 * @param now the week's value; null if there is none
 */
export function expectedValueOf(metric: AlertMetric, past: Past, current: Sums, now: number | null): ExpectedValue | null {
  const usual = usualOf(metric, past, current)
  if (usual === null || (metric === 'ctr' && usual.low === 0 && usual.high === 1)) return null
  const { expected: value, low, high } = usual
  const range = { value, low: Math.min(low, value), high: Math.max(high, value) }
  if (now === null || past.isCut || past.weeks.length < historyWeeks) return range
  // Real series have more extreme weeks than a normal distribution would: ten times rarer with every 1.2 deviations is cautious.
  const months = rarity.months * 10 ** ((usual.deviationsOf(now) - deviations[metric]) / rarity.tenfold)
  return months < 1 ? range : { ...range, months: Math.min(rarity.most, months) }
}
