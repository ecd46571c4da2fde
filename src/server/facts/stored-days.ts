import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { isoDate } from '../../contract/common.ts'
import { type Span, withinSpans } from './current.ts'
import type { EntityGrain } from './entity-figures.ts'
import { askWith } from './question.ts'

const row = z.object({
  property: z.number(),
  grain: z.enum(['total', 'page', 'query']),
  /** The first day that is stored at all. */
  from: isoDate,
  /** The stored days within the spans asked for; one without rows is a day on which nothing was shown. */
  dates: z.array(isoDate),
})
export type StoredDays = z.infer<typeof row>

/** Which days of which grain are stored, for many properties at once. Web search only. */
export function storedDays(
  client: ClickHouseClient,
  question: { grains: readonly EntityGrain[]; properties: readonly number[]; spans: readonly Span[] },
): Promise<StoredDays[]> {
  const sql = `SELECT property, grain, min(date) AS from, arraySort(groupUniqArrayIf(date, ${withinSpans(question.spans)})) AS dates
    FROM facts_current WHERE property IN {properties:Array(UInt64)} AND type = {type:String} AND grain IN {grains:Array(String)}
    GROUP BY property, grain`
  return askWith(client, {
    sql,
    row,
    params: { properties: [...question.properties], type: 'web', grains: [...question.grains] },
  })
}
