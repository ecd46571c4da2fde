import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { isoDate, type IsoDate, type SearchType } from '../../contract/common.ts'
import { type Span, withinSpans } from './current.ts'
import type { EntityGrain } from './questions/entity-figures.ts'
import { askWith } from './question.ts'

const row = z.object({
  property: z.number(),
  grain: z.enum(['total', 'page', 'query']),
  /** The first stored day on which anything was shown; before it the property may not have been counted yet. */
  from: isoDate,
  /** The stored days from then on, within the spans asked for; one without rows is a day on which nothing was shown. */
  dates: z.array(isoDate),
})
export type StoredDays = z.infer<typeof row>

/** Which days of which grain are known, for many properties at once; absent is what was never shown. Web search only. */
export function storedDays(
  client: ClickHouseClient,
  question: { grains: readonly EntityGrain[]; properties: readonly number[]; spans: readonly Span[] },
): Promise<StoredDays[]> {
  const sql = `SELECT property, grain, minIf(date, isShown) AS from,
      arrayFilter(day -> day >= from, arraySort(groupArrayIf(date, ${withinSpans(question.spans)}))) AS dates
    FROM (
      SELECT c.property AS property, c.grain AS grain, c.date AS date, argMax(c.rows, c.load) > 0 AS isShown FROM facts_current AS c
      WHERE c.property IN {properties:Array(UInt64)} AND c.type = {type:String} AND c.grain IN {grains:Array(String)}
      GROUP BY property, grain, date)
    GROUP BY property, grain HAVING max(isShown) > 0`
  return askWith(client, {
    sql,
    row,
    params: { properties: [...question.properties], type: 'web', grains: [...question.grains] },
  })
}

const firstRow = z.object({ property: z.number(), date: isoDate })

/**
 * The first day on which anything of each property was shown, in any grain; one of which nothing ever was is absent.
 * Google answers the days before a site was there as it answers quiet ones, so they are stored, but nothing is known of
 * them. Of web search unless another type is asked for.
 */
export async function firstShownOf(
  client: ClickHouseClient,
  properties: readonly number[],
  searchType: SearchType = 'web',
): Promise<Map<number, IsoDate>> {
  if (properties.length === 0) return new Map()
  const sql = `SELECT property, min(day) AS date FROM (
      SELECT c.property AS property, c.date AS day FROM facts_current AS c
      WHERE c.property IN {properties:Array(UInt64)} AND c.type = {type:String}
      GROUP BY property, c.grain, day HAVING argMax(c.rows, c.load) > 0)
    GROUP BY property`
  const rows = await askWith(client, { sql, row: firstRow, params: { properties: [...properties], type: searchType } })
  return new Map(rows.map(({ property, date }) => [property, date]))
}

/** The same of one property; null where nothing ever was shown. */
export const firstShown = async (client: ClickHouseClient, property: number, searchType?: SearchType): Promise<IsoDate | null> =>
  (await firstShownOf(client, [property], searchType)).get(property) ?? null
