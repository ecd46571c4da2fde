import type { Comparison } from '../../contract/analytics.ts'
import type { IsoDate } from '../../contract/common.ts'
import type { Period } from '../../contract/metrics.ts'
import { addDays } from './days.ts'

/** The `days` days that end with the last complete one. */
export const lastDays = (completeThrough: IsoDate, days: number): Period => ({
  start: addDays(completeThrough, 1 - days),
  end: completeThrough,
})

/** The period of the same length that ends the day before this one starts. */
export const previousPeriod = (period: Period, days: number): Period => lastDays(addDays(period.start, -1), days)

/** 52 weeks: a year earlier, on the same days of the week. */
const yearDays = 364

/** The period that one is compared with; null where it is with none. */
export function comparedPeriod(period: Period, days: number, comparison: Comparison): Period | null {
  if (comparison === 'none') return null
  return comparison === 'previous' ? previousPeriod(period, days) : lastDays(addDays(period.end, -yearDays), days)
}

/** So many periods of the same length, each following the one before; the last one is this. Oldest first. */
export function consecutivePeriods(period: Period, days: number, count: number): Period[] {
  return Array.from({ length: count }, (_, i) => lastDays(addDays(period.end, -days * (count - 1 - i)), days))
}
