import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { addDays } from '../../../core/analytics/days.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { askSettled } from '../ask-settled.ts'
import { andWithin, type Within, withinParams } from '../filter-sql.ts'
import { onCurrentDaysOf, withinSpans } from '../current.ts'
import { tableOf } from '../schema.ts'
import { asText } from '../question.ts'

/** Checked without a copy: there are tens of thousands. */
const values = z.custom<readonly number[]>((value) => Array.isArray(value) && value.every((each) => typeof each === 'number'))
const row = z.object({
  property: z.number(),
  name: z.string(),
  /** Per week, the latest-ending first, and per week's last day. */
  sums: values,
  lastDays: values,
})
export type EntityWeeks = z.infer<typeof row>

export type WeeksQuestion = {
  grain: 'page' | 'query'
  properties: readonly number[]
  /** The last day of the latest week, and the number of weeks. */
  end: IsoDate
  weeks: number
  metric: 'clicks' | 'impressions'
  /** Leaves out entities with fewer counts over all weeks. */
  least: number
  /** Only what a segment has of them, or a search type other than web. */
  within?: Within | null | undefined
}

/** Maximum number of entities returned for one property, largest counts first. */
export const mostEntities = 5_000
/** Of many properties, mostly numbers. */
const mostBytes = 32 * 1024 ** 2

/**
 * Weekly sums of all pages or queries of many properties, plus each week's last day, from which the sums of weeks ending a day earlier
 * follow. Reads a row per day and page, and returns a dozen numbers per page.
 */
export function entityWeeks(
  client: ClickHouseClient,
  { grain, properties, end, weeks, metric, least, within }: WeeksQuestion,
): Promise<EntityWeeks[]> {
  const from = within?.grain ?? grain
  const span = { start: addDays(end, 1 - 7 * weeks), end }
  const byWeek = (counts: string): string => `sumResample(0, ${weeks}, 1)(toUInt64(${counts}), intDiv(d, 7))`
  const sql = `SELECT property, ${asText('key')} AS name, ${byWeek('c')} AS sums, ${byWeek('if(d % 7 = 0, c, 0)')} AS lastDays
    FROM (
      SELECT f.property AS property, f.${grain} AS key, f.${metric} AS c, toUInt32(dateDiff('day', f.date, {end:Date})) AS d
      FROM ${tableOf(from)} AS f WHERE ${onCurrentDaysOf(from, withinSpans([span]))}${andWithin(within)} AND f.${metric} > 0)
    GROUP BY property, key HAVING sum(c) >= {least:Float64}
    ORDER BY property, sum(c) DESC, key LIMIT ${mostEntities} BY property`
  const params = { ...withinParams(within), properties: [...properties], type: within?.type ?? 'web', end, least }
  return askSettled(client, { grain: from, within, sql, row, mostBytes, params })
}
