import type { IsoDate } from '../../contract/common.ts'
import type { HourlyMetric } from '../../core/alerting/hours/hourly.ts'
import { isAlike, isHourlyMetric } from '../../core/alerting/hours/hourly.ts'
import type { AlertMetric } from '../../core/alerting/rule.ts'
import { addDays } from '../../core/analytics/days.ts'
import type { FactsStore } from '../facts/store.ts'
import { storedDays } from '../facts/stored-days.ts'
import { dailyTotals } from '../facts/questions/daily-totals.ts'

/** How many final days of one weekday are compared. */
const weeks = 8

export type FinalDays = {
  /** A day's sum; null if it isn't stored. */
  of(metric: HourlyMetric, day: IsoDate): number | null
  /** The stored sums of the same weekday before a day, latest first, as far as Google counted them like that day. */
  sameWeekday(metric: AlertMetric, day: IsoDate): number[]
}

/** Reads a property's site-wide daily sums, far enough back to compare the days up to `until` with preceding weeks. */
export function createFinalDays(facts: FactsStore) {
  return async (property: number, { from, until }: { from?: IsoDate; until: IsoDate }): Promise<FinalDays> => {
    const span = { start: addDays(from ?? until, -7 * (weeks + 1)), end: until }
    const [[stored], totals] = await Promise.all([
      facts.ask(storedDays, { grains: ['total'], properties: [property], spans: [span] }),
      facts.ask(dailyTotals, { property, searchType: 'web', ...span }),
    ])
    const known = new Set(stored?.dates)
    const sums = new Map(totals.map((total) => [total.date, total]))
    const of = (metric: HourlyMetric, day: IsoDate): number | null => (known.has(day) ? (sums.get(day)?.[metric] ?? 0) : null)
    return {
      of,
      sameWeekday: (metric, day) =>
        isHourlyMetric(metric)
          ? Array.from({ length: weeks }, (_, i) => addDays(day, -7 * (i + 1))).flatMap((each) =>
              isAlike(metric, day, each) ? (of(metric, each) ?? []) : [],
            )
          : [],
    }
  }
}
export type ReadFinalDays = ReturnType<typeof createFinalDays>
