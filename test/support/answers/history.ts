import { type History, historyEndpoints } from '../../../src/contract/history.ts'
import { addDays, eachDay } from '../../../src/core/analytics/days.ts'
import { historyOf } from '../../../src/core/analytics/history.ts'
import { weeklyBandOf } from '../../../src/core/detection/band.ts'

type Stored = { property: string; completeThrough: string; days: number }

/** The server's answer for a property with this many stored days: more each day, and less on Saturdays and Sundays. */
export function historyFrom(query: URLSearchParams, { property, completeThrough, days: count }: Stored): History {
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
  const { property: _, ...asked } = historyEndpoints.read.query.parse(Object.fromEntries(query))
  const expected = weeklyBandOf({ start: firstDay, counts: days.map(({ clicks }) => clicks) }, () => false, firstDay)
  return historyOf(property, { days, stored: new Set(dates), firstDay, completeThrough }, asked, expected)
}
