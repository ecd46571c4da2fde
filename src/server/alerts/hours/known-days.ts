import type { IsoDate } from '../../../contract/common.ts'
import { type ExpectedDay, expectedDayOf, expectedDayPast } from '../../../core/alerting/hours/expected-day.ts'
import type { HourlyMetric } from '../../../core/alerting/hours/hourly.ts'
import { addDays, daysBetween } from '../../../core/analytics/days.ts'
import { type Of, type PastStores, readPast } from '../unusual/unusual.ts'

/** A property's site-wide final days, as smart rules see them. */
export type KnownDays = {
  /** A day's sum; null if it isn't stored. */
  of(metric: HourlyMetric, day: IsoDate): number | null
  /** What a day is expected to have, as known before another day, or before itself; null if too little is known. */
  expected(metric: HourlyMetric, day: IsoDate, before?: IsoDate): ExpectedDay | null
}

/** Reads them, far enough back for the expectation of the days from `from` on; null while there are none. */
export async function readKnownDays(stores: PastStores, property: Of, from: IsoDate): Promise<KnownDays | null> {
  const past = (await readPast(stores, [property], 'web', addDays(from, -expectedDayPast))).get(property.id)
  if (!past) return null
  return {
    of(metric, day) {
      const history = past.histories.get(metric)
      return history?.counts.counts[daysBetween(history.counts.start, day) - 1] ?? null
    },
    expected(metric, day, before) {
      const history = past.histories.get(metric)
      return history ? expectedDayOf(history, day, before) : null
    },
  }
}
