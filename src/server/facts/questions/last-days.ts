import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { isoDate, type IsoDate } from '../../../contract/common.ts'
import { lastDays } from '../../../core/analytics/periods.ts'
import { askSettled } from '../ask-settled.ts'
import { onCurrentDaysOf, withinSpans } from '../current.ts'
import type { DailyTotal } from './daily-totals.ts'

const counts = z.array(z.number())
const row = z.object({
  property: z.number(),
  /** The first day on which anything was shown, in any grain. */
  from: isoDate,
  stored: z.array(isoDate),
  date: z.array(isoDate),
  clicks: counts,
  impressions: counts,
  positionSum: counts,
  rankedImpressions: counts,
})

/** A property, and the last day that counts of it. */
export type EndOfDays = { property: number; end: IsoDate }

/** Days oldest first; `stored` are those of which something is known, a day of them without figures is one on which nothing was shown. */
export type LastDays = { property: number; stored: IsoDate[]; days: DailyTotal[] }

/**
 * The last `count` days of many properties, each up to an end of its own, in one question. A property of which nothing was
 * ever shown is absent. Web search only.
 */
export async function lastDaysOf(client: ClickHouseClient, ends: readonly EndOfDays[], count: number): Promise<LastDays[]> {
  if (ends.length === 0) return []
  const within = [...Map.groupBy(ends, ({ end }) => end)]
    .map(([end, some]) => `(property IN (${some.map(({ property }) => property).join(', ')}) AND ${withinSpans([lastDays(end, count)])})`)
    .join(' OR ')
  const sql = `SELECT known.property AS property, known.from AS from, known.stored AS stored, figures.date AS date, figures.clicks AS clicks,
      figures.impressions AS impressions, figures.positionSum AS positionSum, figures.rankedImpressions AS rankedImpressions
    FROM (
      SELECT property, minIf(date, isShown) AS from, groupArrayIf(date, grain = 'total' AND (${within})) AS stored
      FROM (
        SELECT c.property AS property, c.grain AS grain, c.date AS date, argMax(c.rows, c.load) > 0 AS isShown FROM facts_current AS c
        WHERE c.property IN {properties:Array(UInt64)} AND c.type = {type:String} GROUP BY property, grain, date)
      GROUP BY property HAVING max(isShown) > 0) AS known
    LEFT JOIN (
      SELECT property, groupArray(day) AS date, groupArray(c) AS clicks, groupArray(i) AS impressions, groupArray(p) AS positionSum,
        groupArray(r) AS rankedImpressions
      FROM (
        SELECT f.property AS property, f.date AS day, sum(f.clicks) AS c, sum(f.impressions) AS i, sum(f.position_sum) AS p,
          sumIf(f.impressions, f.position_sum > 0) AS r
        FROM facts_total AS f WHERE ${onCurrentDaysOf('total', `(${within})`)}
        GROUP BY property, day)
      GROUP BY property) AS figures ON figures.property = known.property`
  const rows = await askSettled(client, {
    grain: 'total',
    sql,
    row,
    params: { properties: ends.map(({ property }) => property), type: 'web' },
  })
  return rows.map(daysOf)
}

/** Lists in any order, but all in the same one. */
function daysOf({ property, from, stored, date, clicks, impressions, positionSum, rankedImpressions }: z.infer<typeof row>): LastDays {
  const days = date.map((day, index) => ({
    date: day,
    clicks: clicks[index] ?? 0,
    impressions: impressions[index] ?? 0,
    positionSum: positionSum[index] ?? 0,
    rankedImpressions: rankedImpressions[index] ?? 0,
  }))
  return { property, stored: stored.filter((day) => day >= from), days: days.toSorted((a, b) => (a.date < b.date ? -1 : 1)) }
}
