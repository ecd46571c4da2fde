import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { isoDate, searchType } from '../../contract/common.ts'
import { onLoads } from './current-loads.ts'
import { type Grain, grainDimensions, tableOf } from './schema.ts'

/** Rows asked for at once, as far as whole days allow: the engine in this process answers in one piece, which has to fit into memory. */
const askedAtOnce = 50_000
/** Rows handed on before others get a turn of the event loop: some milliseconds. */
const handedAtOnce = 2_000

/** Columns of `exportRows`; CTR and position are worked out, everything else is as stored. */
export const exportColumns = (grain: Grain): string[] => [
  'date',
  'search type',
  ...grainDimensions[grain],
  'clicks',
  'impressions',
  'ctr',
  'position',
]

/** One row; CTR is a fraction, empty without impressions, and the position is empty where none is known. */
export type ExportRow = readonly (string | number | null)[]

const currentDay = z.object({ type: searchType, date: isoDate, load: z.coerce.number(), rows: z.coerce.number() })
type CurrentDay = z.infer<typeof currentDay>

const cells = z.array(z.union([z.string(), z.number(), z.null()]))

/**
 * Every row of one grain of a property, all search types and days, in batches: by search type, then day, then clicks.
 * All days come as they are when the first row is asked for, however long it takes: all rows of a load are there
 * before it becomes the current one, and are kept for hours after another took its place (sweep.ts).
 */
export async function* exportRows(
  client: ClickHouseClient,
  grain: Grain,
  property: number,
): AsyncGenerator<readonly ExportRow[], void, undefined> {
  const dimensions = grainDimensions[grain].map((name) => `f.${name}`)
  const columns = ['toString(f.date)', 'toString(f.type)', ...dimensions, 'f.clicks', 'f.impressions']
  const select = `SELECT ${columns.join(', ')},
      if(f.impressions = 0, NULL, round(f.clicks / f.impressions, 6)),
      if(f.position_sum = 0, NULL, round(f.position_sum / f.impressions, 6))
    FROM ${tableOf(grain)} AS f WHERE f.property = {property:UInt64} AND f.type = {type:String}`
  const order = ['f.date', 'f.clicks DESC', 'f.impressions DESC', ...dimensions].join(', ')

  for (const [first, ...others] of spansOf(await currentDays(client, grain, property))) {
    const answer = await client.query({
      query: `${select} AND ${onLoads([first, ...others])} ORDER BY ${order}`,
      query_params: { property, type: first.type },
      format: 'JSONCompactEachRow',
    })
    for await (const lines of answer.stream()) {
      for (let from = 0; from < lines.length; from += handedAtOnce) {
        yield lines.slice(from, from + handedAtOnce).map((line) => cells.parse(line.json()))
        await nextTurn()
      }
    }
  }
}

/** Days that hold rows, with how many and of which load. */
async function currentDays(client: ClickHouseClient, grain: Grain, property: number): Promise<CurrentDay[]> {
  const answer = await client.query({
    query: `SELECT c.type AS type, c.date AS date, max(c.load) AS load, argMax(c.rows, c.load) AS rows FROM facts_current AS c
      WHERE c.property = {property:UInt64} AND c.grain = {grain:String} GROUP BY type, date HAVING rows > 0 ORDER BY type, date`,
    query_params: { property, grain },
    format: 'JSONEachRow',
  })
  return currentDay.array().parse(await answer.json())
}

type Span = [CurrentDay, ...CurrentDay[]]

/** Days of one search type, as many as can be asked for at once, at least one. */
function spansOf(days: readonly CurrentDay[]): Span[] {
  const spans: Span[] = []
  let rows = 0
  for (const day of days) {
    const last = spans.at(-1)
    if (last && last[0].type === day.type && rows + day.rows <= askedAtOnce) {
      last.push(day)
      rows += day.rows
    } else {
      spans.push([day])
      rows = day.rows
    }
  }
  return spans
}
