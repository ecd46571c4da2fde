import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { comparedDays, comparedSums } from './compared-figures.ts'
import { type Scoring, scoreParams, scoreSql } from './opportunity-sql.ts'
import { andWithin, askInTime, withinParams } from '../filter-sql.ts'
import { type PeriodQuestion, sourceOf } from './period-rows.ts'
import { asText, askWith } from '../question.ts'
import { positionSql } from './window-columns.ts'

const scored = z.object({ query: z.string(), position: z.number(), score: z.number() })
const best = z.object({ query: z.string(), page: z.string() })
export type PeriodOpportunity = z.infer<typeof scored> & z.infer<typeof best>

/**
 * The queries of any period with the most to gain, in the screens' order and with the screens' choice of page: the one with the most
 * clicks, empty if none was named. `loads` are of the query grain and of the query and page grain.
 */
export async function periodOpportunities(
  client: ClickHouseClient,
  { property, current, previous, loads, scoring, limit, within }: PeriodQuestion & { scoring: Scoring; limit: number },
): Promise<PeriodOpportunity[]> {
  const queries = sourceOf(loads, within?.grain ?? 'query', current, null)
  if (queries === null) return []
  const sql = `SELECT query, position, ${scoreSql} AS score FROM (
      SELECT query, clicks, impressions, ${positionSql()} AS position FROM (
        SELECT f.query AS query, sum(f.clicks) AS clicks, sum(f.impressions) AS impressions, sum(f.position_sum) AS position_sum,
          sumIf(f.impressions, f.position_sum > 0) AS ranked
        FROM ${queries}${andWithin(within)} GROUP BY f.query))
    WHERE score > 0 ORDER BY score DESC, clicks DESC, impressions DESC, query LIMIT {limit:UInt32}`
  const question = { sql, row: scored, params: { ...withinParams(within), property, limit, ...scoreParams(scoring) } }
  const found = await (within ? askInTime(client, within, question) : askWith(client, question))
  const pairs = sourceOf(loads, 'query_page', current, previous)
  const pages =
    pairs === null ? [] : await bestPages(client, { property, current, previous, pairs, within, names: found.map(({ query }) => query) })
  const pageOf = new Map(pages.map(({ query, page }) => [query, page]))
  return found.map((row) => ({ ...row, page: pageOf.get(row.query) ?? '' }))
}

/** Same rule as for windows (window.ts). */
function bestPages(
  client: ClickHouseClient,
  of: Pick<PeriodQuestion, 'property' | 'current' | 'previous' | 'within'> & { pairs: string; names: string[] },
) {
  const sql = `SELECT query, ${asText('argMax(name, (clicks, impressions, before_clicks, before_impressions, name))')} AS page FROM (
      SELECT f.query AS query, toString(f.page) AS name, ${comparedSums} FROM ${of.pairs}${andWithin(of.within)} AND f.query IN {names:Array(String)} GROUP BY f.query, f.page)
    GROUP BY query`
  const params = { ...withinParams(of.within), property: of.property, ...comparedDays(of), names: of.names }
  const question = { sql, row: best, params }
  return of.within ? askInTime(client, of.within, question) : askWith(client, question)
}
