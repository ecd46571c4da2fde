import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { isoDate, type SearchType, searchType } from '../../contract/common.ts'
import type { Span as Days } from './current.ts'
import { onLoads } from './current-loads.ts'
import { type Grain, grainDimensions, tableOf } from './schema.ts'
import { isCutOff } from './stored-loads.ts'

/** Rows asked for at once, as far as whole days allow: the engine in this process answers in one piece, which has to fit into memory. */
const askedAtOnce = 20_000
/** Rows handed on before others get a turn of the event loop: some milliseconds. */
const handedAtOnce = 250

/** Grains of which a day can have more rows than Google gives. */
const isEndless = (grain: Grain): boolean => grain === 'page' || grain === 'query' || grain === 'query_page'

/** Columns of `exportRows`; CTR and position are worked out, `cut off` says yes or no of the row's day, everything else is as stored. */
export const exportColumns = (grain: Grain): string[] => [
  'date',
  'search type',
  ...grainDimensions[grain],
  'clicks',
  'impressions',
  'ctr',
  'position',
  ...(isEndless(grain) ? ['cut off'] : []),
]

/** One row; CTR is a fraction, empty without impressions, and the position is empty where none is known. */
export type ExportRow = readonly (string | number | null)[]

const currentDay = z.object({ type: searchType, date: isoDate, load: z.coerce.number(), rows: z.coerce.number() })
type CurrentDay = z.infer<typeof currentDay>

const lineEnd = 10
const isCell = (value: unknown): boolean => value === null || typeof value === 'string' || typeof value === 'number'
/** Checked by hand: a schema of the cells makes several objects for each of tens of millions. */
const cells = z.custom<ExportRow>((value) => Array.isArray(value) && value.every(isCell))

/** One search type, and its days from start to end. */
export type ExportScope = Days & { searchType: SearchType }

/**
 * Every row of one grain of a property, all search types and days unless some are asked for, in batches: by search type, then day, then clicks.
 * All days come as they are when the first row is asked for, however long it takes: all rows of a load are there
 * before it becomes the current one, and are kept for hours after another took its place (sweep.ts).
 */
export async function* exportRows(
  client: ClickHouseClient,
  grain: Grain,
  property: number,
  scope?: ExportScope,
): AsyncGenerator<readonly ExportRow[], void, undefined> {
  const dimensions = grainDimensions[grain].map((name) => `f.${name}`)
  const columns = ['toString(f.date)', 'toString(f.type)', ...dimensions, 'f.clicks', 'f.impressions']
  const select = `SELECT ${columns.join(', ')},
      if(f.impressions = 0, NULL, round(f.clicks / f.impressions, 6)),
      if(f.position_sum = 0, NULL, round(f.position_sum / f.impressions, 6))`
  const source = `FROM ${tableOf(grain)} AS f WHERE f.property = {property:UInt64} AND f.type = {type:String}`
  const order = ['f.date', 'f.clicks DESC', 'f.impressions DESC', ...dimensions].join(', ')

  for (const [first, ...others] of spansOf(await currentDays(client, grain, property, scope))) {
    // As bytes, which are cut into lines as they are needed: the client's own rows are objects that all exist at once.
    const { stream } = await client.exec({
      query: `${select}${isEndless(grain) ? `, ${cutOffSql([first, ...others])}` : ''} ${source} AND ${onLoads([first, ...others])} ORDER BY ${order} FORMAT JSONCompactEachRow`,
      query_params: { property, type: first.type },
      // One thread reads with half of the buffers of two, and whoever takes the file is slower anyway.
      clickhouse_settings: { max_threads: 1 },
    })
    for await (const rows of rowsIn(stream)) {
      yield rows
      await nextTurn()
    }
  }
}

/** Whether Google cut off the list of the row's day. */
function cutOffSql(days: readonly CurrentDay[]): string {
  const dates = days.filter(isCutOff).map(({ date }) => `toDate('${date}')`)
  return dates.length === 0 ? `'no'` : `if(f.date IN (${dates.join(', ')}), 'yes', 'no')`
}

/** The rows of an answer, some at a time. */
async function* rowsIn(answer: AsyncIterable<Buffer>): AsyncGenerator<ExportRow[], void, undefined> {
  let rows: ExportRow[] = []
  let begun: Buffer = Buffer.alloc(0)
  for await (const chunk of answer) {
    const bytes = begun.length === 0 ? chunk : Buffer.concat([begun, chunk])
    let from = 0
    for (let to = bytes.indexOf(lineEnd); to >= 0; from = to + 1, to = bytes.indexOf(lineEnd, from)) {
      rows.push(cells.parse(JSON.parse(bytes.toString('utf8', from, to))))
      if (rows.length < handedAtOnce) continue
      yield rows
      rows = []
    }
    begun = bytes.subarray(from)
  }
  if (rows.length > 0) yield rows
}

/** Days that hold rows, with how many and of which load. */
async function currentDays(client: ClickHouseClient, grain: Grain, property: number, scope?: ExportScope): Promise<CurrentDay[]> {
  const days = scope ? 'AND c.type = {type:String} AND c.date BETWEEN {start:Date} AND {end:Date}' : ''
  const answer = await client.query({
    query: `SELECT c.type AS type, c.date AS date, max(c.load) AS load, argMax(c.rows, c.load) AS rows FROM facts_current AS c
      WHERE c.property = {property:UInt64} AND c.grain = {grain:String} ${days} GROUP BY type, date HAVING rows > 0 ORDER BY type, date`,
    query_params: { property, grain, ...(scope && { type: scope.searchType, start: scope.start, end: scope.end }) },
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
