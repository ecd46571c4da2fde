import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { addDays } from '../../../core/analytics/days.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { askSettled } from '../ask-settled.ts'
import { onCurrentDaysOf, withinSpans } from '../current.ts'
import { tableOf } from '../schema.ts'

const values = z.array(z.number())
const row = z.object({
  property: z.number(),
  name: z.string(),
  /** Of each week, the one that ends last first, and of each week's last day. */
  sums: values,
  lastDays: values,
})
export type EntityWeeks = z.infer<typeof row>

export type WeeksQuestion = {
  grain: 'page' | 'query'
  properties: readonly number[]
  /** The day on which the latest week ends, and how many there are. */
  end: IsoDate
  weeks: number
  metric: 'clicks' | 'impressions'
  /** Entities with fewer counts than this in all weeks together are left out. */
  least: number
}

/** Entities of one property that are answered, those with the most counts first. */
export const mostEntities = 5_000

/**
 * Weeks of all pages or queries of many properties, with the last day of each: sums of weeks that end a day earlier follow from them.
 * Web search only. A row for each day and page is read, and a dozen numbers for each page are answered.
 */
export function entityWeeks(
  client: ClickHouseClient,
  { grain, properties, end, weeks, metric, least }: WeeksQuestion,
): Promise<EntityWeeks[]> {
  const span = { start: addDays(end, 1 - 7 * weeks), end }
  const byWeek = (counts: string): string => `sumResample(0, ${weeks}, 1)(toUInt64(${counts}), intDiv(d, 7))`
  const sql = `SELECT property, name, ${byWeek('c')} AS sums, ${byWeek('if(d % 7 = 0, c, 0)')} AS lastDays
    FROM (
      SELECT f.property AS property, f.${grain} AS name, f.${metric} AS c, toUInt32(dateDiff('day', f.date, {end:Date})) AS d
      FROM ${tableOf(grain)} AS f WHERE ${onCurrentDaysOf(grain, withinSpans([span]))} AND f.${metric} > 0)
    GROUP BY property, name HAVING sum(c) >= {least:Float64}
    ORDER BY property, sum(c) DESC, name LIMIT ${mostEntities} BY property`
  return askSettled(client, { grain, sql, row, params: { properties: [...properties], type: 'web', end, least } })
}
