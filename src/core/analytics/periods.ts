import type { Comparison } from '../../contract/range.ts'
import type { IsoDate } from '../../contract/common.ts'
import type { Period } from '../../contract/metrics.ts'
import { addDays, daysBetween } from './days.ts'

/** The `days` days ending with the last complete one. */
export const lastDays = (completeThrough: IsoDate, days: number): Period => ({
  start: addDays(completeThrough, 1 - days),
  end: completeThrough,
})

/** The period of the same length that ends the day before this one. */
export const previousPeriod = (period: Period, days: number): Period => lastDays(addDays(period.start, -1), days)

/** 52 weeks: a year earlier, on the same days of the week. */
const yearDays = 364

/** The period to compare with; null without a comparison. */
export function comparedPeriod(period: Period, days: number, comparison: Comparison): Period | null {
  if (comparison === 'none') return null
  if (typeof comparison !== 'string') return { start: comparison.start, end: addDays(comparison.start, days - 1) }
  return comparison === 'previous' ? previousPeriod(period, days) : lastDays(addDays(period.end, -yearDays), days)
}

/** `count` consecutive periods of the same length, this one last. Oldest first. */
export function consecutivePeriods(period: Period, days: number, count: number): Period[] {
  return Array.from({ length: count }, (_, i) => lastDays(addDays(period.end, -days * (count - 1 - i)), days))
}

/**
 * Days, or as many whole weeks at a time as it takes for at most `most` parts of the same length; the last one ends with the period. Oldest
 * first.
 */
export function partsOf(period: Period, most: number): Period[] {
  const days = daysBetween(period.start, period.end)
  const length = days <= most ? 1 : 7 * Math.ceil(days / most / 7)
  return consecutivePeriods(lastDays(period.end, length), length, Math.floor(days / length))
}
