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
