import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { KeywordListSort, Presence } from '../../../contract/keywords.ts'
import { isBrandSql } from './brand-sql.ts'
import { type Scoring, scoreParams, scoreSql } from './opportunity-sql.ts'
import { askWith } from '../question.ts'
import {
  holdsText,
  inWindow,
  ofWindow,
  type Part,
  positionSql,
  sortSql,
  windowColumns,
  windowFigures,
  type WindowId,
  windowParams,
} from './window-columns.ts'

/** Which queries of a window are asked for. */
export type QueryFilter = {
  window: WindowId
  search?: string | undefined
  /** Bounds of the mean position, both included. */
  positionMin?: number | undefined
  positionMax?: number | undefined
  brand: 'all' | 'brand' | 'non-brand'
  /** As `compactTerms` in core makes them. */
  brandTerms: readonly string[]
}

export type QueriesQuestion = QueryFilter & {
  /** `lost` ones are judged and sorted by what they were. */
  presence: Presence
  sort: KeywordListSort
  order: 'asc' | 'desc'
  /** `least`: only queries with something to gain, at least so much; null: all of them. */
  scored: (Scoring & { least: number | null }) | null
}

const row = windowFigures.extend({ query: z.string(), page: z.string(), pages: z.number(), score: z.number() })
export type WindowQuery = z.infer<typeof row>

/** Queries of a window with their figures, sorted; the order leaves nothing open, so that parts fit together. */
export function windowQueries(client: ClickHouseClient, question: QueriesQuestion, part: Part): Promise<WindowQuery[]> {
  const { scored } = question
  const before = question.presence === 'lost' ? 'before_' : ''
  const sql = `SELECT *, ${scored ? scoreSql : '0'} AS score
    FROM (SELECT query, page, pages, ${windowColumns} FROM window_query
      WHERE ${presenceSql[question.presence]} AND ${queryFilterSql(question, before)})
    ${typeof scored?.least === 'number' ? 'WHERE score > 0 AND score >= {least:Float64}' : ''}
    ORDER BY ${orderSql(question)} LIMIT {limit:UInt64} OFFSET {offset:UInt64}`
  return askWith(client, {
    sql,
    row,
    ...ofWindow,
    params: { ...queryFilterParams(question), ...part, ...(scored && { ...scoreParams(scored), least: scored.least }) },
  })
}

const presenceSql: Record<Presence, string> = {
  current: 'impressions > 0',
  new: 'impressions > 0 AND before_impressions = 0',
  lost: 'impressions = 0 AND before_impressions > 0',
}

/** The condition on rows of `window_query`; see `queryFilterParams`. */
export function queryFilterSql({ search, positionMin, positionMax, brand }: QueryFilter, before = ''): string {
  const conditions = [inWindow()]
  if (search) conditions.push(holdsText('query'))
  if (positionMin !== undefined) conditions.push(`${positionSql(before)} >= {positionMin:Float64}`)
  if (positionMax !== undefined) conditions.push(`${positionSql(before)} <= {positionMax:Float64} AND ${before}ranked > 0`)
  if (brand !== 'all') conditions.push(`${brand === 'brand' ? '' : 'NOT '}${isBrandSql('query')}`)
  return conditions.join(' AND ')
}

export const queryFilterParams = ({ window, search, positionMin, positionMax, brandTerms }: QueryFilter): Record<string, unknown> => ({
  ...windowParams(window),
  search: search?.toWellFormed(),
  positionMin,
  positionMax,
  brandTerms: [...brandTerms],
})

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
const contested = windowFigures.extend({ query: z.string(), rivals: z.array(rival) })
export type ContestedQuery = z.infer<typeof contested>

/** Queries for which several pages share the impressions, those with the most of them beside the strongest page first. */
export function contestedQueries(client: ClickHouseClient, filter: QueryFilter, part: Part): Promise<ContestedQuery[]> {
  const rivalSql = `arrayMap(r -> CAST(tuple(r.1, r.2, r.3, r.2 / r.3, if(r.5 = 0, 0, r.4 / r.5), r.3 / pages_impressions),
      'Tuple(page String, clicks UInt64, impressions UInt64, ctr Float64, position Float64, share Float64)'), rivals)`
  const sql = `SELECT query, ${windowColumns}, ${rivalSql} AS rivals
    FROM window_query WHERE contested > 0 AND impressions > 0 AND ${queryFilterSql(filter)}
    ORDER BY contested DESC, impressions DESC, query LIMIT {limit:UInt64} OFFSET {offset:UInt64}`
  return askWith(client, { sql, row: contested, ...ofWindow, params: { ...queryFilterParams(filter), ...part } })
}
