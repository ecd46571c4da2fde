import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { isoDate, type SearchType, searchType } from '../../contract/common.ts'
import type { Span as Days } from './current.ts'
import { isTooLarge, TooMuchAtOnce } from '../platform/clickhouse/clickhouse-errors.ts'
import { onLoads } from './current-loads.ts'
import { asText } from './question.ts'
import { type Grain, grainDimensions, tableOf } from './schema.ts'
import { isCutOff } from './stored-loads.ts'

/** Rows requested at once: the in-process engine answers in one piece, which has to fit in memory. */
const mostAtOnce = 20_000
/** Bytes requested at once: a row of two imported names may have twelve thousand, and control characters are six times as long in JSON. */
const bytesAtOnce = 4 * 1024 ** 2
/** Statements that may each sort a whole day; a day that takes more of them comes in the order it is stored in, each row read once. */
const mostSorts = 50
/** How many times in a row the engine may have moved rows between finding and reading them. */
const mostMoves = 10
/** Rows yielded before others get a turn of the event loop: a few milliseconds. */
const handedAtOnce = 250

/** Grains whose days can have more rows than Google returns. */
const isEndless = (grain: Grain): boolean => grain === 'page' || grain === 'query' || grain === 'query_page'

/** Columns of `exportRows`; CTR and position are computed, `cut off` says yes or no for the row's day, everything else is as stored. */
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

type Asked = Pick<ClickHouseClient, 'exec' | 'query'>

/** One row; CTR is a fraction, empty without impressions; position is empty if unknown. */
export type ExportRow = readonly (string | number | null)[]

const currentDay = z.object({ type: searchType, date: isoDate, load: z.coerce.number(), rows: z.coerce.number() })
type CurrentDay = z.infer<typeof currentDay>

const lineEnd = 10
const isCell = (value: unknown): boolean => value === null || typeof value === 'string' || typeof value === 'number'
/** Checked by hand: a schema would create several objects per cell for tens of millions of cells. */
const cells = z.custom<ExportRow>((value) => Array.isArray(value) && value.every(isCell))

/** One search type, from start to end. */
export type ExportScope = Days & { searchType: SearchType }

/**
 * Every row of one grain of a property, for all search types and days unless limited, in batches: by search type, then day, then clicks;
 * a day of a million rows or more comes in the order it is stored in.
 *
 * All days are as of the first row's request, however long it takes: a load has all its rows before it becomes current, and they are kept
 * for hours after it is replaced (sweep.ts).
 */
export async function* exportRows(
  client: Asked,
  grain: Grain,
  property: number,
  scope?: ExportScope,
  askedAtOnce = mostAtOnce,
): AsyncGenerator<readonly ExportRow[], void, undefined> {
  for (const days of spansOf(await currentDays(client, grain, property, scope), askedAtOnce)) {
    const asked = { client, grain, property, days, askedAtOnce }
    yield* days.length === 1 && days[0].rows > askedAtOnce ? rowsOfLongDay(asked) : rowsOfDays(asked)
  }
}

type RowsOfDays = { client: Asked; grain: Grain; property: number; days: Span; askedAtOnce: number }

/** One thread needs half the read buffers of two, and whoever downloads the file is slower anyway. */
const settings = { max_threads: 1, max_result_bytes: String(bytesAtOnce), result_overflow_mode: 'throw' } as const

const dimensionsOf = (grain: Grain): string[] => grainDimensions[grain].map((name) => `f.${name}`)
const sourceOf = ({ grain, days }: RowsOfDays): string =>
  `FROM ${tableOf(grain)} AS f WHERE f.property = {property:UInt64} AND f.type = {type:String} AND ${onLoads(days)}`

function rowSql(asked: RowsOfDays): string {
  const { grain, days } = asked
  const columns = ['toString(f.date)', 'toString(f.type)', ...dimensionsOf(grain).map(asText), 'f.clicks', 'f.impressions']
  return `SELECT ${columns.join(', ')},
      if(f.impressions = 0, NULL, round(f.clicks / f.impressions, 6)),
      if(f.position_sum = 0, NULL, round(f.position_sum / f.impressions, 6))${isEndless(grain) ? `, ${cutOffSql(days)}` : ''} ${sourceOf(asked)}`
}

/** The rows of one day that takes several statements. */
async function* rowsOfLongDay(asked: RowsOfDays): AsyncGenerator<readonly ExportRow[], void, undefined> {
  const stretches = await stretchesOf(asked)
  const bytes = stretches.reduce((sum, stretch) => sum + stretch.bytes, 0)
  const statements = Math.max(rowsOf(stretches) / asked.askedAtOnce, bytes / bytesAtOnce)
  yield* statements <= mostSorts ? rowsOfDays(asked) : rowsAsStored(asked, stretches)
}

/** A day's rows in one of the table's parts, where they are next to each other from `first` on. */
const stretch = z.object({ part: z.string(), first: z.coerce.number(), rows: z.coerce.number(), bytes: z.coerce.number() })
type Stretch = z.infer<typeof stretch>
const rowsOf = (stretches: readonly Stretch[]): number => stretches.reduce((sum, { rows }) => sum + rows, 0)

/** Where a day's rows are, oldest first: the second number in a part's name says when its first rows were inserted. */
async function stretchesOf(asked: RowsOfDays): Promise<Stretch[]> {
  const bytes = dimensionsOf(asked.grain).map((name) => ` + length(${name})`)
  const answer = await asked.client.query({
    query: `SELECT _part AS part, min(_part_offset) AS first, count() AS rows, sum(0${bytes.join('')}) AS bytes ${sourceOf(asked)}
      GROUP BY part ORDER BY toUInt64(splitByChar('_', part)[2])`,
    query_params: { property: asked.property, type: asked.days[0].type },
    format: 'JSONEachRow',
    clickhouse_settings: { max_threads: 1 },
  })
  return stretch.array().parse(await answer.json())
}

/**
 * The rows of a day in the order they were inserted in. Merging parts keeps that order among rows with the same primary key, like all of
 * a day's, so if the engine merges parts meanwhile, the next row is as many rows from the beginning as before.
 */
async function* rowsAsStored(asked: RowsOfDays, found: readonly Stretch[]): AsyncGenerator<readonly ExportRow[], void, undefined> {
  const { client, property, days, askedAtOnce } = asked
  const total = rowsOf(found)
  let stretches = found
  let [read, most, moves] = [0, askedAtOnce, 0]
  while (read < total) {
    const { part, first, left } = placeOf(stretches, read)
    const last = first + Math.min(most, left) - 1
    const stream = await answerTo(client, {
      query: `${rowSql(asked)} AND _part = {part:String} AND _part_offset BETWEEN {first:UInt64} AND {last:UInt64} FORMAT JSONCompactEachRow`,
      query_params: { property, type: days[0].type, part, first, last },
      clickhouse_settings: settings,
    })
    if (stream === null) {
      most = fewer(most)
      continue
    }
    const before = read
    for await (const rows of rowsIn(stream)) {
      read += rows.length
      yield rows
      await nextTurn()
    }
    moves = read > before ? 0 : moves + 1
    if (moves === 0) continue
    stretches = await stretchesOf(asked)
    if (rowsOf(stretches) !== total || moves > mostMoves) throw new Error('The rows of a day were deleted while they were read')
  }
}

/** Where the next row is after this many rows, and how many are left from there on in the same part. */
function placeOf(stretches: readonly Stretch[], read: number): { part: string; first: number; left: number } {
  let skipped = 0
  for (const { part, first, rows } of stretches) {
    if (read < skipped + rows) return { part, first: first + read - skipped, left: rows - (read - skipped) }
    skipped += rows
  }
  throw new Error('There is no such row')
}

/** How many rows to request after an answer was too large. */
function fewer(most: number): number {
  if (most === 1) throw new TooMuchAtOnce()
  return Math.ceil(most / 4)
}

/** The rows of days that are requested together; in smaller parts if their names are long. */
async function* rowsOfDays(asked: RowsOfDays): AsyncGenerator<readonly ExportRow[], void, undefined> {
  const { client, grain, property, days } = asked
  const [first, ...others] = days
  const dimensions = dimensionsOf(grain)
  const order = ['f.date', 'f.clicks DESC', 'f.impressions DESC', ...dimensions].join(', ')

  let most = asked.askedAtOnce
  let place: Place | undefined
  let count: number
  do {
    count = 0
    const question: Parameters<Asked['exec']>[0] = {
      query: `${rowSql(asked)} ${place ? `AND ${fromSql(dimensions)}` : ''}
        ORDER BY ${order} LIMIT {most:UInt32} OFFSET {same:UInt32} FORMAT JSONCompactEachRow`,
      query_params: { property, type: first.type, most, same: 0, ...(place && paramsOf(place, dimensions.length)) },
      clickhouse_settings: settings,
    }
    const stream = await answerTo(client, question)
    if (stream === null) {
      if (others.length > 0) {
        for (const day of days) yield* rowsOfLongDay({ ...asked, days: [day] })
        return
      }
      most = fewer(most)
      count = most
      continue
    }
    for await (const rows of rowsIn(stream)) {
      count += rows.length
      if (others.length === 0) place = placeAfter(rows, dimensions.length, place)
      yield rows
      await nextTurn()
    }
    // Only a single day may have more rows than that.
  } while (others.length === 0 && count === most)
}

/** An answer as bytes, which are split into lines on demand: the client's own rows are objects that all exist at once. Null: too large. */
async function answerTo(client: Asked, question: Parameters<Asked['exec']>[0]): Promise<AsyncIterable<Buffer> | null> {
  try {
    return (await client.exec(question)).stream
  } catch (error) {
    if (isTooLarge(error)) return null
    throw error
  }
}

/** The last row read of a day, and how many rows with the same sort keys have been read. */
type Place = { last: ExportRow; same: number }

function placeAfter(rows: readonly ExportRow[], dimensions: number, before: Place | undefined): Place | undefined {
  const last = rows.at(-1)
  if (!last) return before
  const isAlike = (row: ExportRow | undefined): boolean =>
    row !== undefined && row.slice(2, 4 + dimensions).every((cell, i) => cell === last[2 + i])
  let same = 1
  while (same < rows.length && isAlike(rows[rows.length - 1 - same])) same += 1
  return { last, same: same === rows.length && before && isAlike(before.last) ? same + before.same : same }
}

/** Parameters of `fromSql`, and how many of the rows from there on have been read. */
const paramsOf = ({ last, same }: Place, dimensions: number) => ({
  ...Object.fromEntries(last.slice(2, 2 + dimensions).map((name, i) => [`name${i}`, name])),
  clicks: last[2 + dimensions],
  impressions: last[3 + dimensions],
  same,
})

/** Rows of a day that are not sorted before a place. */
function fromSql(dimensions: readonly string[]): string {
  const names = dimensions.map((_, i) => `{name${i}:String}`).join(', ')
  const named = dimensions.length === 0 ? '1' : `tuple(${dimensions.map((each) => `toString(${each})`).join(', ')}) >= tuple(${names})`
  return `(f.clicks < {clicks:UInt64} OR f.clicks = {clicks:UInt64} AND (f.impressions < {impressions:UInt64} OR f.impressions = {impressions:UInt64} AND ${named}))`
}

/** Whether Google truncated the list for the row's day. */
function cutOffSql(days: readonly CurrentDay[]): string {
  const dates = days.filter(isCutOff).map(({ date }) => `'${date}'`)
  return dates.length === 0 ? `'no'` : `if(f.date IN (${dates.join(', ')}), 'yes', 'no')`
}

/** An answer's rows, in batches. */
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

/** Days with rows, their number of rows and their load. */
async function currentDays(client: Asked, grain: Grain, property: number, scope?: ExportScope): Promise<CurrentDay[]> {
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

/** Days of one search type, as many as can be requested at once, at least one. */
function spansOf(days: readonly CurrentDay[], askedAtOnce: number): Span[] {
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
