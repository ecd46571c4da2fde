import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { CompetingFileQuery, KeywordListSort, Presence } from '../../../contract/keywords.ts'
import { askSegmented, type Segment, segmentedRows } from '../segmented-rows.ts'
import { brandParams, isBrandSql } from './brand-sql.ts'
import { type Scoring, scoreParams, scoreSql } from './opportunity-sql.ts'
import { holdsText, type Part, positionSql, sortSql, windowColumns, windowFigures, type WindowId } from './window-columns.ts'

/** Which of a window's queries to return. */
export type QueryFilter = {
  window: WindowId
  segment?: Segment | undefined
  search?: string | undefined
  /** Bounds of the mean position, both included. */
  positionMin?: number | undefined
  positionMax?: number | undefined
  brand: 'all' | 'brand' | 'non-brand'
  /** From `compactTerms` in core. */
  brandTerms: readonly string[]
}

export type QueriesQuestion = QueryFilter & {
  /** `lost` ones are filtered and sorted by their earlier figures. */
  presence: Presence
  sort: KeywordListSort
  order: 'asc' | 'desc'
  /** `least`: only queries with at least this much to gain; null: all of them. */
  scored: (Scoring & { least: number | null }) | null
}

const row = windowFigures.extend({
  query: z.string(),
  page: z.string(),
  pages: z.number(),
  brand: z.coerce.boolean(),
  score: z.number(),
})
export type WindowQuery = z.infer<typeof row>

/** A window's queries with their figures, sorted; the order is total, so that parts fit together. */
export function windowQueries(client: ClickHouseClient, question: QueriesQuestion, part: Part): Promise<WindowQuery[]> {
  const { scored, brandTerms } = question
  const { from, where, ask } = filteredQueries(question, question.presence === 'lost' ? 'before_' : '')
  const sql = `SELECT *, ${scored ? scoreSql : '0'} AS score
    FROM (SELECT query, page, pages, ${isBrandSql('query', brandTerms)} AS brand, ${windowColumns} FROM ${from}
      WHERE ${[presenceSql[question.presence], ...where].join(' AND ')})
    ${typeof scored?.least === 'number' ? 'WHERE score > 0 AND score >= {least:Float64}' : ''}
    ORDER BY ${orderSql(question)} LIMIT {limit:UInt64} OFFSET {offset:UInt64}`
  const params = { ...part, ...(scored && { ...scoreParams(scored), least: scored.least }) }
  return ask(client, { sql, row, params })
}

const presenceSql: Record<Presence, string> = {
  current: 'impressions > 0',
  new: 'impressions > 0 AND before_impressions = 0',
  lost: 'impressions = 0 AND before_impressions > 0',
}

/** Where to read the queries that pass the filters, and how to ask for them. */
function filteredQueries({ window, segment, search, positionMin, positionMax, brand, brandTerms }: QueryFilter, before = '') {
  const { from, conditions, params } = segmentedRows('query', window, segment, before)
  const where = [...conditions]
  if (search) where.push(holdsText('query'))
  if (positionMin !== undefined) where.push(`${positionSql(before)} >= {positionMin:Float64}`)
  if (positionMax !== undefined) where.push(`${positionSql(before)} <= {positionMax:Float64} AND ${before}ranked > 0`)
  if (brand !== 'all') where.push(`${brand === 'brand' ? '' : 'NOT '}${isBrandSql('query', brandTerms)}`)
  const filters = { ...brandParams(brandTerms), ...params, search: search?.toWellFormed(), positionMin, positionMax }
  return {
    from,
    where,
    ask: <Row>(client: ClickHouseClient, asked: { sql: string; row: z.ZodType<Row>; params: Record<string, unknown> }): Promise<Row[]> =>
      askSegmented(client, segment && { ...segment, brandTerms }, { ...asked, params: { ...filters, ...asked.params } }),
  }
}

function orderSql({ sort, order, presence }: QueriesQuestion): string {
  const lost = presence === 'lost'
  const figure = (name: string) => (lost ? `before${name[0]?.toUpperCase()}${name.slice(1)}` : name)
  const by = sort === 'query' ? `query ${order}` : sort === 'opportunityScore' ? `score ${order}` : sortSql(sort, order, figure)
  return `${by}, ${figure('clicks')} DESC, ${figure('impressions')} DESC, query`
}

const rival = z.object({
  page: z.string(),
  clicks: z.number(),
  impressions: z.number(),
  ctr: z.number(),
  position: z.number(),
  share: z.number(),
})
const contested = windowFigures.extend({ query: z.string(), brand: z.coerce.boolean(), contested: z.number(), rivals: z.array(rival) })
export type ContestedQuestion = QueryFilter & { sort: CompetingFileQuery['sort']; order: 'asc' | 'desc' }
export type ContestedQuery = z.infer<typeof contested>

/** Queries whose impressions are split among several pages; at stake (`contested`) are those off the strongest page. */
export function contestedQueries(client: ClickHouseClient, question: ContestedQuestion, part: Part): Promise<ContestedQuery[]> {
  const rivalSql = `arrayMap(r -> CAST(tuple(r.1, r.2, r.3, r.2 / r.3, if(r.5 = 0, 0, r.4 / r.5), r.3 / pages_impressions),
      'Tuple(page String, clicks UInt64, impressions UInt64, ctr Float64, position Float64, share Float64)'), rivals)`
  const { from, where, ask } = filteredQueries(question)
  const { sort, order, brandTerms } = question
  const by = sort === 'query' ? `query ${order}` : sort === 'atStake' ? `contested ${order}` : sortSql(sort, order)
  const sql = `SELECT query, ${isBrandSql('query', brandTerms)} AS brand, ${windowColumns}, contested, ${rivalSql} AS rivals
    FROM ${from} WHERE ${['contested > 0', 'impressions > 0', ...where].join(' AND ')}
    ORDER BY ${by}, contested DESC, impressions DESC, query LIMIT {limit:UInt64} OFFSET {offset:UInt64}`
  return ask(client, { sql, row: contested, params: part })
}
