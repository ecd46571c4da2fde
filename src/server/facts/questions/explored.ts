import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { SearchType } from '../../../contract/common.ts'
import type { ExploreSort, Grouping } from '../../../contract/explore/explore.ts'
import { type Totals, totalsOf } from '../../../core/analytics/totals.ts'
import type { Span } from '../current.ts'
import { askInTime, figureConditions, filterParams, type Filtering, textConditions } from '../filter-sql.ts'
import { asText } from '../question.ts'
import { type Grain, tableOf } from '../schema.ts'
import { onStoredLoads, type StoredLoad } from '../stored-loads.ts'
import { sums, sumsSql, sumsWhen } from './sums.ts'
import { type Part, windowColumns, windowFigures } from './window-columns.ts'

/** Which facts to explore: the current loads of one grain that has every dimension in the filters. */
export type Exploration = Filtering & {
  property: number
  searchType: SearchType
  grain: Grain
  loads: readonly StoredLoad[]
  current: Span
  /** May overlap the current period; null without a comparison. */
  previous: Span | null
}

export type RowsQuestion = Exploration & { by: Exclude<Grouping, 'date'>; sort: ExploreSort; order: 'asc' | 'desc' }

const row = windowFigures.extend({ name: z.string(), page: z.string() })
export type ExploredRow = z.infer<typeof row>

/** One part of the sorted rows with impressions in either period that pass the filters; the order is total, so that parts fit together. */
export function exploredRows(client: ClickHouseClient, question: RowsQuestion, part: Part): Promise<ExploredRow[]> {
  const sql = `SELECT name, page, ${windowColumns} FROM (${rowsSql(question)}) ${orderSql(question)}`
  return askInTime(client, question, { sql, row, params: { ...paramsOf(question), ...part } })
}

const firstRow = row.extend({ entries: z.number(), sums: z.array(z.number()), isTotal: z.number() })
/** The number of rows, and their sums in each period. */
export type ExploredTotals = { count: number; current: Totals; before: Totals }

/**
 * The first rows and the sums of all: in one pass over the facts, the slow part. Millions of rows are grouped once more for the sums,
 * rather than summed in a window, which would have to hold all of them in memory.
 */
export async function exploredList(
  client: ClickHouseClient,
  question: RowsQuestion,
  limit: number,
): Promise<{ rows: ExploredRow[]; totals: ExploredTotals }> {
  const added = sumColumns.map((column) => `sum(r.${column}) AS ${column}`).join(', ')
  const sql = `SELECT name, page, ${windowColumns}, isTotal, toFloat64(entries) AS entries, [${sumColumns.map((name) => `toFloat64(${name})`).join(', ')}] AS sums
    FROM (SELECT r.name AS name, r.page AS page, ${added}, count() AS entries, grouping(r.name) AS isTotal
      FROM (${rowsSql(question)}) AS r GROUP BY GROUPING SETS ((r.name, r.page), ()))
    ${orderSql(question, 'isTotal DESC, ')}`
  const found = await askInTime(client, question, { sql, row: firstRow, params: { ...paramsOf(question), limit: limit + 1, offset: 0 } })
  const all = found.find(({ isTotal }) => isTotal === 1)
  const totals = ([clicks = 0, impressions = 0, positionSum = 0, rankedImpressions = 0]: readonly number[]) =>
    totalsOf([{ clicks, impressions, positionSum, rankedImpressions }])
  return {
    rows: found.filter(({ isTotal }) => isTotal === 0).map(({ sums: _sums, entries: _entries, isTotal: _isTotal, ...each }) => each),
    totals: { count: all?.entries ?? 0, current: totals(all?.sums.slice(0, 4) ?? []), before: totals(all?.sums.slice(4) ?? []) },
  }
}

const dayRow = z.object({ date: z.iso.date(), ...sums })
export type ExploredDay = z.infer<typeof dayRow>

/** Sums of the filtered facts by day, oldest first; days without impressions are absent. */
export function exploredDays(client: ClickHouseClient, question: Exploration): Promise<ExploredDay[]> {
  const sql = `SELECT f.date AS date, ${sumsSql}
    FROM ${sourceSql(question)} GROUP BY date HAVING impressions > 0 OR clicks > 0 ORDER BY date`
  return askInTime(client, question, { sql, row: dayRow, params: paramsOf(question) })
}

const trendRow = z.object({ name: z.string(), part: z.array(z.number()), clicks: z.array(z.number()) })
export type TrendsQuestion = Exploration & {
  by: 'query' | 'page' | 'country' | 'device' | 'search_appearance'
  names: readonly string[]
  partDays: number
}

/**
 * The clicks of some rows in equally long parts of the explored days, counted back from the last day; in any order, and without parts that
 * have no rows.
 */
export function exploredTrends(client: ClickHouseClient, question: TrendsQuestion): Promise<z.infer<typeof trendRow>[]> {
  const { by, names, partDays } = question
  const [key] = keysOf[by]
  const sql = `SELECT toString(key) AS name, groupArray(p) AS part, groupArray(c) AS clicks
    FROM (
      SELECT ${key} AS key, intDiv(dateDiff('day', f.date, {currentEnd:Date}), {partDays:UInt32}) AS p, sum(f.clicks) AS c
      FROM ${sourceSql(question)} AND ${key} IN {names:Array(String)} GROUP BY key, p)
    GROUP BY key`
  return askInTime(client, question, { sql, row: trendRow, params: { ...paramsOf(question), names: [...names], partDays } })
}

const sumNames = ['clicks', 'impressions', 'position_sum', 'ranked'] as const
const sumColumns = ['', 'before_'].flatMap((prefix) => sumNames.map((name) => prefix + name))

const within = (span: string) => `f.date BETWEEN {${span}Start:Date} AND {${span}End:Date}`
const allSums = `sum(f.clicks) AS clicks, sum(f.impressions) AS impressions, sum(f.position_sum) AS position_sum, sumIf(f.impressions, f.position_sum > 0) AS ranked`
const noSums = sumNames.map((name) => `toUInt64(0) AS before_${name}`).join(', ')

/** A page's site and the first level of its path; a page outside any folder belongs to its site's. */
const folderSql = (page: string): string =>
  `if(match(${page}, '^[^/?#]+://[^/?#]+/'), extract(${page}, '^[^/?#]+://[^/?#]+/(?:[^/?#]+/)?'), ${page})`

const keysOf: Record<RowsQuestion['by'], readonly [string, ...string[]]> = {
  query: ['f.query'],
  page: ['f.page'],
  folder: ['f.page'],
  query_page: ['f.query', 'f.page'],
  country: ['f.country'],
  device: ['f.device'],
  search_appearance: ['f.search_appearance'],
}

/** Rows with the sums of both periods. Folders are built from pages, so that each page's folder is computed once, not once a day. */
function rowsSql(question: RowsQuestion): string {
  const { by, previous } = question
  const [name, page] = keysOf[by]
  const both =
    previous === null ? `${allSums}, ${noSums}` : `${sumsWhen('', within('current'))}, ${sumsWhen('before_', within('previous'))}`
  const keys = page === undefined ? 'name_key' : 'name_key, page_key'
  const byKeys = `SELECT ${name} AS name_key, ${page === undefined ? '' : `${page} AS page_key, `}${both}
      FROM ${sourceSql(question)} GROUP BY ${keys}`
  const added = sumColumns.map((column) => `sum(p.${column}) AS ${column}`).join(', ')
  const grouped =
    by === 'folder' ? `SELECT ${folderSql('p.name_key')} AS name_key, ${added} FROM (${byKeys}) AS p GROUP BY name_key` : byKeys
  const shown = '(clicks > 0 OR impressions > 0 OR before_clicks > 0 OR before_impressions > 0)'
  return `SELECT ${asText('name_key')} AS name, ${page === undefined ? `''` : asText('page_key')} AS page, ${sumColumns.join(', ')}
    FROM (${grouped}) WHERE ${[shown, ...figureConditions(question)].join(' AND ')}`
}

function sourceSql(exploration: Exploration): string {
  const { grain, loads, current, previous, searchType } = exploration
  const days = onStoredLoads(loads, previous ? [current, previous] : [current], searchType)
  const texts = textConditions(exploration)
  // A filter that keeps few rows spares the others the lookup of their day and load, which takes a third of the time.
  return `${tableOf(grain)} AS f ${texts.length > 0 ? `PREWHERE ${texts.join(' AND ')} ` : ''}WHERE ${days}`
}

function paramsOf(exploration: Exploration): Record<string, unknown> {
  const { property, current, previous } = exploration
  return {
    ...filterParams(exploration),
    property,
    currentStart: current.start,
    currentEnd: current.end,
    previousStart: previous?.start,
    previousEnd: previous?.end,
  }
}

const change = (figure: string) => `${figure} - before${figure[0]?.toUpperCase()}${figure.slice(1)}`
/** Sort keys, with position changes as places gained; figures unknown in one or both periods come last. */
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

/** Sorting, after what comes `first`, and paging: the question binds a `Part`. */
function orderSql({ sort, order, by }: RowsQuestion, first = ''): string {
  const { by: sorted, unknown } = sortSql[sort]
  const asked = `${unknown === undefined ? '' : `(${unknown}), `}${sorted} ${order === 'asc' ? 'ASC' : 'DESC'}`
  return `ORDER BY ${first}${asked}, clicks DESC, impressions DESC, before_clicks DESC, before_impressions DESC, name${by === 'query_page' ? ', page' : ''}
    LIMIT {limit:UInt64} OFFSET {offset:UInt64}`
}
