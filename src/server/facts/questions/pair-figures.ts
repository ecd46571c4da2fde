import type { ClickHouseClient } from '@clickhouse/client'
import { askSettled } from '../ask-settled.ts'
import { andWithin, type Within, withinParams } from '../filter-sql.ts'
import { onCurrentDaysOf, type Span, withinSpans } from '../current.ts'
import { type EntityFiguresRow, figuresRow, sumsOverWindows } from './entity-figures.ts'
import { tableOf } from '../schema.ts'

export type PairsQuestion = {
  property: number
  /** The page whose queries, or the query whose pages, are requested. */
  of: { kind: 'page' | 'query'; name: string }
  windows: readonly Span[]
  /** Keeps those with the most impressions over all windows. */
  limit: number
  /** Only what a segment has of them, or a search type other than web. */
  within?: Within | null | undefined
}

/**
 * The queries a page was found by, or the pages shown for a query, summed over several windows. Queries that Google
 * withholds are missing, so they add up to less than the page's figures.
 */
export function pairFigures(
  client: ClickHouseClient,
  { property, of, windows, limit, within }: PairsQuestion,
): Promise<EntityFiguresRow[]> {
  const other = of.kind === 'page' ? 'query' : 'page'
  const sql = `WITH {starts:Array(Date)} AS starts, {ends:Array(Date)} AS ends
    SELECT f.property AS property, f.${other} AS name, ${sumsOverWindows}
    FROM ${tableOf('query_page')} AS f WHERE ${onCurrentDaysOf('query_page', withinSpans(windows))}${andWithin(within)} AND f.${of.kind} = {name:String}
    GROUP BY property, name ORDER BY arraySum(impressions) DESC, name LIMIT {limit:UInt32}`
  return askSettled(client, {
    grain: 'query_page',
    within,
    sql,
    row: figuresRow,
    params: {
      ...withinParams(within),
      properties: [property],
      type: within?.type ?? 'web',
      starts: windows.map(({ start }) => start),
      ends: windows.map(({ end }) => end),
      name: of.name.toWellFormed(),
      limit,
    },
  })
}
