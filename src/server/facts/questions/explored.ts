import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { SearchType } from '../../../contract/common.ts'
import { type ExploreSort, type Filter, type FilterField, type Grouping, isBound } from '../../../contract/explore/explore.ts'
import { type Totals, totalsOf } from '../../../core/analytics/totals.ts'
import { isBrandSql } from './brand-sql.ts'
import type { Span } from '../current.ts'
import { askWith } from '../question.ts'
import { type Grain, tableOf } from '../schema.ts'
import { onStoredLoads, type StoredLoad } from '../stored-loads.ts'
import { ctrSql, holdsText, type Part, positionSql, windowColumns, windowFigures } from './window-columns.ts'

/** Which facts are explored: the current loads of one grain that has every dimension the filters name. */
export type Exploration = {
  property: number
  searchType: SearchType
  grain: Grain
  loads: readonly StoredLoad[]
  current: Span
  /** May overlap the current period; null where nothing is compared. */
  previous: Span | null
  where: readonly Filter[]
  /** As `compactTerms` in core makes them. */
  brandTerms: readonly string[]
}

export type RowsQuestion = Exploration & { by: Exclude<Grouping, 'date'>; sort: ExploreSort; order: 'asc' | 'desc' }

const row = windowFigures.extend({ name: z.string(), page: z.string() })
export type ExploredRow = z.infer<typeof row>

/** Some of the rows that were shown in either period and that the filters let through, sorted; the order leaves nothing open, so that parts fit together. */
export function exploredRows(client: ClickHouseClient, question: RowsQuestion, part: Part): Promise<ExploredRow[]> {
  const sql = `SELECT name, page, ${windowColumns} FROM (${rowsSql(question)}) ${orderSql(question)}`
  return askWith(client, { sql, row, params: { ...paramsOf(question), ...part } })
}

const firstRow = row.extend({ sums: z.array(z.number()) })
/** How many rows there are, and what they add up to in each period. */
export type ExploredTotals = { count: number; current: Totals; before: Totals }

/** The first rows, and what all of them add up to: in one pass over the facts, which is what takes the time. */
export async function exploredList(
  client: ClickHouseClient,
  question: RowsQuestion,
  limit: number,
): Promise<{ rows: ExploredRow[]; totals: ExploredTotals }> {
  const sums = ['count()', ...sumColumns.map((name) => `sum(${name})`)].map((sum) => `toFloat64(${sum} OVER ())`)
  const sql = `SELECT name, page, ${windowColumns}, sums
    FROM (SELECT *, [${sums.join(', ')}] AS sums FROM (${rowsSql(question)})) ${orderSql(question)}`
  const found = await askWith(client, { sql, row: firstRow, params: { ...paramsOf(question), limit, offset: 0 } })
  const [count = 0, ...all] = found[0]?.sums ?? []
  const totals = ([clicks = 0, impressions = 0, positionSum = 0, rankedImpressions = 0]: readonly number[]) =>
    totalsOf([{ clicks, impressions, positionSum, rankedImpressions }])
  return {
    rows: found.map(({ sums: _sums, ...each }) => each),
    totals: { count, current: totals(all.slice(0, 4)), before: totals(all.slice(4)) },
  }
}

const dayRow = z.object({
  date: z.iso.date(),
  clicks: z.number(),
  impressions: z.number(),
  positionSum: z.number(),
  rankedImpressions: z.number(),
})
export type ExploredDay = z.infer<typeof dayRow>

/** What the filters let through, day by day, oldest first; days on which it was not shown are absent. */
export function exploredDays(client: ClickHouseClient, question: Exploration): Promise<ExploredDay[]> {
  const sql = `SELECT f.date AS date, sum(f.clicks) AS clicks, sum(f.impressions) AS impressions, sum(f.position_sum) AS positionSum,
      sumIf(f.impressions, f.position_sum > 0) AS rankedImpressions
    FROM ${sourceSql(question)} GROUP BY date HAVING impressions > 0 OR clicks > 0 ORDER BY date`
  return askWith(client, { sql, row: dayRow, params: paramsOf(question) })
}

/**
 * Whether the engine accepts a regular expression (RE2), which it then runs without backtracking and in bounded memory. For each letter it
 * may look at every place of the expression, so its size is bounded before (core/analytics/pattern-size.ts).
 */
export async function isRegex(client: ClickHouseClient, pattern: string): Promise<boolean> {
  try {
    await askWith(client, {
      sql: `SELECT match('x', {pattern:String}) AS found`,
      row: z.object({ found: z.number() }),
      params: { pattern },
    })
    return true
  } catch (error) {
    if (error instanceof Error && 'type' in error && error.type === 'CANNOT_COMPILE_REGEXP') return false
    throw error
  }
}

const sumNames = ['clicks', 'impressions', 'position_sum', 'ranked'] as const
const sumColumns = ['', 'before_'].flatMap((prefix) => sumNames.map((name) => prefix + name))

const within = (span: string) => `f.date BETWEEN {${span}Start:Date} AND {${span}End:Date}`
const sumsWithin = (
  prefix: string,
  when: string,
) => `sumIf(f.clicks, ${when}) AS ${prefix}clicks, sumIf(f.impressions, ${when}) AS ${prefix}impressions,
      sumIf(f.position_sum, ${when}) AS ${prefix}position_sum, sumIf(f.impressions, ${when} AND f.position_sum > 0) AS ${prefix}ranked`
const allSums = `sum(f.clicks) AS clicks, sum(f.impressions) AS impressions, sum(f.position_sum) AS position_sum, sumIf(f.impressions, f.position_sum > 0) AS ranked`
const noSums = sumNames.map((name) => `toUInt64(0) AS before_${name}`).join(', ')

/** A page's site and the first level of its path; a page that lies in no folder is in that of its site. */
const folderSql = (page: string): string =>
  `if(match(${page}, '^[^/?#]+://[^/?#]+/'), extract(${page}, '^[^/?#]+://[^/?#]+/(?:[^/?#]+/)?'), ${page})`

const keysOf: Record<RowsQuestion['by'], readonly [string, ...string[]]> = {
  query: ['f.query'],
  page: ['f.page'],
  folder: ['f.page'],
  query_page: ['f.query', 'f.page'],
  country: ['f.country'],
  device: ['f.device'],
}

/** Rows with the sums of both periods: by folder made of pages, so that each page's folder is found once and not once a day. */
function rowsSql(question: RowsQuestion): string {
  const { by, previous, where } = question
  const [name, page] = keysOf[by]
  const sums =
    previous === null ? `${allSums}, ${noSums}` : `${sumsWithin('', within('current'))}, ${sumsWithin('before_', within('previous'))}`
  const keys = page === undefined ? 'name_key' : 'name_key, page_key'
  const byKeys = `SELECT ${name} AS name_key, ${page === undefined ? '' : `${page} AS page_key, `}${sums}
      FROM ${sourceSql(question)} GROUP BY ${keys}`
  const added = sumColumns.map((column) => `sum(p.${column}) AS ${column}`).join(', ')
  const grouped =
    by === 'folder' ? `SELECT ${folderSql('p.name_key')} AS name_key, ${added} FROM (${byKeys}) AS p GROUP BY name_key` : byKeys
  const shown = '(clicks > 0 OR impressions > 0 OR before_clicks > 0 OR before_impressions > 0)'
  const bounds = where.flatMap((filter, at) => (isBound(filter.operator) ? [boundSql(filter, at)] : []))
  return `SELECT toString(name_key) AS name, ${page === undefined ? `''` : 'toString(page_key)'} AS page, ${sumColumns.join(', ')}
    FROM (${grouped}) WHERE ${[shown, ...bounds].join(' AND ')}`
}

function sourceSql({ grain, loads, current, previous, searchType, where }: Exploration): string {
  const texts = where.flatMap((filter, at) => (isBound(filter.operator) ? [] : [textSql(filter, at)]))
  return `${tableOf(grain)} AS f WHERE ${[onStoredLoads(loads, previous ? [current, previous] : [current], searchType), ...texts].join(' AND ')}`
}

const columns = { query: 'f.query', page: 'f.page', country: 'f.country', device: 'f.device' } as const
const isColumn = (field: FilterField): field is keyof typeof columns => field in columns

function textSql({ field, not, operator, value }: Filter, at: number): string {
  if (field === 'brand') return `${(value === 'yes') === not ? 'NOT ' : ''}${isBrandSql('f.query')}`
  if (!isColumn(field)) throw new Error(`${field} is no column`)
  const column = columns[field]
  const given = `{value${at}:String}`
  const found = {
    contains: holdsText(column, `value${at}`),
    is: `${column} = ${given}`,
    starts: `startsWith(${column}, ${given})`,
    matches: `match(${column}, ${given})`,
    from: '',
    to: '',
  }[operator]
  return `${not ? 'NOT ' : ''}(${found})`
}

function boundSql({ field, operator }: Filter, at: number): string {
  const figure = { clicks: 'clicks', impressions: 'impressions', ctr: `100 * ${ctrSql()}`, position: positionSql() }[field as ExploreFigure]
  // Where no position is known, it is neither good nor bad.
  return `${figure} ${operator === 'from' ? '>=' : '<='} {value${at}:Float64}${field === 'position' ? ' AND ranked > 0' : ''}`
}
type ExploreFigure = 'clicks' | 'impressions' | 'ctr' | 'position'

function paramsOf({ property, current, previous, where, brandTerms }: Exploration): Record<string, unknown> {
  return {
    property,
    currentStart: current.start,
    currentEnd: current.end,
    previousStart: previous?.start,
    previousEnd: previous?.end,
    brandTerms: [...brandTerms],
    ...Object.fromEntries(where.map(({ operator, value }, at) => [`value${at}`, isBound(operator) ? Number(value) : value])),
  }
}

const change = (figure: string) => `${figure} - before${figure[0]?.toUpperCase()}${figure.slice(1)}`
/** What rows are sorted by, changes of positions in places gained; what is unknown of both periods, or of one of them, comes last. */
const sortSql: Record<ExploreSort, { by: string; unknown?: string }> = {
  name: { by: 'name' },
  clicks: { by: 'clicks' },
  impressions: { by: 'impressions' },
  ctr: { by: 'ctr', unknown: 'impressions = 0' },
  position: { by: 'position', unknown: 'ranked = 0' },
  clicksChange: { by: 'toInt64(clicks) - toInt64(before_clicks)' },
  impressionsChange: { by: 'toInt64(impressions) - toInt64(before_impressions)' },
  ctrChange: { by: change('ctr'), unknown: 'impressions = 0 OR before_impressions = 0' },
  positionChange: { by: `-(${change('position')})`, unknown: 'ranked = 0 OR before_ranked = 0' },
}

/** Sorted, and some of them: the question binds a `Part`. */
function orderSql({ sort, order, by }: RowsQuestion): string {
  const { by: sorted, unknown } = sortSql[sort]
  const first = `${unknown === undefined ? '' : `(${unknown}), `}${sorted} ${order === 'asc' ? 'ASC' : 'DESC'}`
  return `ORDER BY ${first}, clicks DESC, impressions DESC, before_clicks DESC, before_impressions DESC, name${by === 'query_page' ? ', page' : ''}
    LIMIT {limit:UInt64} OFFSET {offset:UInt64}`
}
