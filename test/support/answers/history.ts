import { type History, historyEndpoints } from '../../../src/contract/history.ts'
import type { ChosenMetrics } from '../../../src/contract/metrics.ts'
import { addDays, eachDay } from '../../../src/core/analytics/days.ts'
import { historyOf, historyPeriods, type StoredDays } from '../../../src/core/analytics/history.ts'
import { chosenMetricsOf } from '../../../src/core/analytics/metrics.ts'
import { weeklyBandOf } from '../../../src/core/detection/band.ts'

type Stored = { property: string; completeThrough: string; days: number }

/** A property with this many stored days: more each day, and less on Saturdays and Sundays. */
function storedFrom({ completeThrough, days: count }: Stored): StoredDays {
  const firstDay = addDays(completeThrough, 1 - count)
  const dates = eachDay(firstDay, completeThrough)
  const days = dates.map((date, index) => {
    const impressions = (2_000 + index * 4) * (new Date(date).getUTCDay() % 6 === 0 ? 0.6 : 1)
    return {
      date,
      clicks: Math.round(impressions / 20),
      impressions,
      positionSum: impressions * (9 - index / 200),
      rankedImpressions: impressions,
    }
  })
  return { days, stored: new Set(dates), firstDay, completeThrough }
}

const askedIn = (query: URLSearchParams) => historyEndpoints.read.query.parse(Object.fromEntries(query))

/** The server's answer for such a property. */
export function historyFrom(query: URLSearchParams, stored: Stored): History {
  const known = storedFrom(stored)
  const { firstDay, days } = known
  const expected = weeklyBandOf({ start: firstDay, counts: days.map(({ clicks }) => clicks) }, () => false, firstDay)
  return historyOf(stored.property, known, askedIn(query), expected)
}

/** And for its cards over the same days. */
export function chosenMetricsFrom(query: URLSearchParams, stored: Stored): ChosenMetrics {
  const known = storedFrom(stored)
  const { period, compared } = historyPeriods(known, askedIn(query))
  return chosenMetricsOf(stored.property, known, { current: period, previous: compared, drawn: period }, stored.completeThrough)
}
