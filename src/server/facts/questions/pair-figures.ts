import type { ClickHouseClient } from '@clickhouse/client'
import { askSettled } from '../ask-settled.ts'
import { onCurrentDaysOf, type Span, withinSpans } from '../current.ts'
import { type EntityFiguresRow, figuresRow, sumsOverWindows } from './entity-figures.ts'
import { tableOf } from '../schema.ts'

export type PairsQuestion = {
  property: number
  /** The page whose queries, or the query whose pages are asked for. */
  of: { kind: 'page' | 'query'; name: string }
  windows: readonly Span[]
  /** Those with the most impressions in all windows together. */
  limit: number
}

/**
 * What a page was found by, or what was shown for a query, summed over several windows. Web search only. Queries that
 * Google keeps to itself are in none of them, so that they add up to less than the page has.
 */
export function pairFigures(client: ClickHouseClient, { property, of, windows, limit }: PairsQuestion): Promise<EntityFiguresRow[]> {
  const other = of.kind === 'page' ? 'query' : 'page'
  const sql = `WITH {starts:Array(Date)} AS starts, {ends:Array(Date)} AS ends
    SELECT f.property AS property, f.${other} AS name, ${sumsOverWindows}
    FROM ${tableOf('query_page')} AS f WHERE ${onCurrentDaysOf('query_page', withinSpans(windows))} AND f.${of.kind} = {name:String}
    GROUP BY property, name ORDER BY arraySum(impressions) DESC, name LIMIT {limit:UInt32}`
  return askSettled(client, {
    grain: 'query_page',
    sql,
    row: figuresRow,
    params: {
      properties: [property],
      type: 'web',
      starts: windows.map(({ start }) => start),
      ends: windows.map(({ end }) => end),
      name: of.name.toWellFormed(),
      limit,
    },
  })
}
