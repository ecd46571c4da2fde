import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { isoDate, type IsoDate, type SearchType } from '../../contract/common.ts'
import { eachDay } from '../../core/analytics/days.ts'
import { type Span, withinSpans } from './current.ts'
import { askWith } from './question.ts'
import { type Grain, grains } from './schema.ts'

const row = z.object({
  property: z.number(),
  grain: z.enum(grains),
  /** The first stored day with impressions; before it the property may not have been counted yet. */
  from: isoDate,
  /** The stored days from then on, within the requested spans; one without rows had no impressions. */
  dates: z.array(isoDate),
})
export type StoredDays = z.infer<typeof row>

/** Which days of which grain are known, for many properties at once; those without any impressions are absent. Web search unless another type is given. */
export function storedDays(
  client: ClickHouseClient,
  {
    type = 'web',
    ...question
  }: { type?: SearchType | undefined; grains: readonly Grain[]; properties: readonly number[]; spans: readonly Span[] },
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
    params: { properties: [...question.properties], type, grains: [...question.grains] },
  })
}

const idRow = z.object({ property: z.number() })

/** Those of these properties with every day of a span stored, whether or not it had impressions. Web search. */
export async function wholeAmong(client: ClickHouseClient, properties: readonly number[], span: Span): Promise<Set<number>> {
  if (properties.length === 0) return new Set()
  const sql = `SELECT c.property AS property FROM facts_current AS c
    WHERE c.property IN {properties:Array(UInt64)} AND c.type = 'web' AND c.grain = 'total' AND ${withinSpans([span])}
    GROUP BY property HAVING uniqExact(c.date) = {days:UInt16}`
  const params = { properties: [...properties], days: eachDay(span.start, span.end).length }
  return new Set((await askWith(client, { sql, row: idRow, params })).map(({ property }) => property))
}

const shownRow = z.object({ property: z.number(), days: z.number(), clicks: z.number() })

/** On how many days of a span each property has rows of this grain, and the clicks of these; absent without any. Web search. */
export function shownDaysOf(
  client: ClickHouseClient,
  { properties, grain, span }: { properties: readonly number[]; grain: Grain; span: Span },
): Promise<z.infer<typeof shownRow>[]> {
  const sql = `SELECT property, count() AS days, sum(c) AS clicks FROM (
      SELECT f.property AS property, f.date AS day, argMax(f.clicks, f.load) AS c, argMax(f.rows, f.load) AS size FROM facts_current AS f
      WHERE f.property IN {properties:Array(UInt64)} AND f.type = 'web' AND f.grain = {grain:String} AND ${withinSpans([span])}
      GROUP BY property, day HAVING size > 0)
    GROUP BY property`
  return askWith(client, { sql, row: shownRow, params: { properties: [...properties], grain } })
}

const firstRow = z.object({ property: z.number(), date: isoDate })

/**
 * The first day each property had impressions in any grain; properties without any are absent. For days before a site existed Google
 * answers as for quiet ones, so they are stored, but nothing is known about them. Web search unless another type is given.
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

/** Same for one property; null if it never had impressions. */
export const firstShown = async (client: ClickHouseClient, property: number, searchType?: SearchType): Promise<IsoDate | null> =>
  (await firstShownOf(client, [property], searchType)).get(property) ?? null
