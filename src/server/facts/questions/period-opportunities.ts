import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { comparedDays, comparedSums } from './compared-figures.ts'
import { type Scoring, scoreParams, scoreSql } from './opportunity-sql.ts'
import { type PeriodQuestion, sourceOf } from './period-rows.ts'
import { askWith } from '../question.ts'
import { positionSql } from './window-columns.ts'

const scored = z.object({ query: z.string(), position: z.number(), score: z.number() })
const best = z.object({ query: z.string(), page: z.string() })
export type PeriodOpportunity = z.infer<typeof scored> & z.infer<typeof best>

/**
 * Queries of any period with most to gain, in the order and with the page of the screens: the page that brought most
 * clicks, empty where none was named. `loads` are of the query grain and of the query and page grain.
 */
export async function periodOpportunities(
  client: ClickHouseClient,
  { property, current, previous, loads, scoring, limit }: PeriodQuestion & { scoring: Scoring; limit: number },
): Promise<PeriodOpportunity[]> {
  const queries = sourceOf(loads, 'query', current, null)
  if (queries === null) return []
  const sql = `SELECT query, position, ${scoreSql} AS score FROM (
      SELECT query, clicks, impressions, ${positionSql()} AS position FROM (
        SELECT f.query AS query, sum(f.clicks) AS clicks, sum(f.impressions) AS impressions, sum(f.position_sum) AS position_sum,
          sumIf(f.impressions, f.position_sum > 0) AS ranked
        FROM ${queries} GROUP BY f.query))
    WHERE score > 0 ORDER BY score DESC, clicks DESC, impressions DESC, query LIMIT {limit:UInt32}`
  const found = await askWith(client, { sql, row: scored, params: { property, limit, ...scoreParams(scoring) } })
  const pairs = sourceOf(loads, 'query_page', current, previous)
  const pages =
    pairs === null ? [] : await bestPages(client, { property, current, previous, pairs, names: found.map(({ query }) => query) })
  const pageOf = new Map(pages.map(({ query, page }) => [query, page]))
  return found.map((row) => ({ ...row, page: pageOf.get(row.query) ?? '' }))
}

/** By the same rule as the windows' (window.ts). */
function bestPages(
  client: ClickHouseClient,
  of: Pick<PeriodQuestion, 'property' | 'current' | 'previous'> & { pairs: string; names: string[] },
) {
  const sql = `SELECT query, argMax(name, (clicks, impressions, before_clicks, before_impressions, name)) AS page FROM (
      SELECT f.query AS query, toString(f.page) AS name, ${comparedSums} FROM ${of.pairs} AND f.query IN {names:Array(String)} GROUP BY f.query, f.page)
    GROUP BY query`
  return askWith(client, { sql, row: best, params: { property: of.property, ...comparedDays(of), names: of.names } })
}
