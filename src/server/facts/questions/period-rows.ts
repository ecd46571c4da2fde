import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { comparedDays, comparedSums } from './compared-figures.ts'
import type { Span } from '../current.ts'
import { askWith } from '../question.ts'
import { tableOf } from '../schema.ts'
import { onStoredLoads, type StoredLoad } from '../stored-loads.ts'
import { windowColumns, windowFigures } from './window-columns.ts'

export type PeriodQuestion = {
  property: number
  current: Span
  /** Null where nothing is compared; then nothing rises or falls. */
  previous: Span | null
  /** Of both periods and, at least, of the grain asked about. */
  loads: readonly StoredLoad[]
}

const row = windowFigures.extend({
  name: z.string(),
  /** Different ones that were shown in the period. */
  shown: z.number(),
  /** Its place in each list, from 1 on. */
  byClicks: z.number(),
  byRise: z.number(),
  byFall: z.number(),
})
export type PeriodRow = z.infer<typeof row>

/**
 * The pages or queries of any period that are among the first `limit` by clicks, by clicks gained or by clicks lost, with
 * their places. It groups the facts themselves: a prepared window, which holds what reports do not ask, takes several
 * times as long (docs/decisions/0025). Those that share a figure come in the order of the screens.
 */
export async function periodRows(
  client: ClickHouseClient,
  { property, current, previous, loads, grain, limit }: PeriodQuestion & { grain: 'page' | 'query'; limit: number },
): Promise<PeriodRow[]> {
  const source = sourceOf(loads, grain, current, previous)
  if (source === null) return []
  const sql = `SELECT name, ${windowColumns}, shown, byClicks, byRise, byFall FROM (
      SELECT *, countIf(impressions > 0) OVER () AS shown, toInt64(clicks) - toInt64(before_clicks) AS gained,
        row_number() OVER (ORDER BY impressions > 0 DESC, clicks DESC, impressions DESC, name) AS byClicks,
        row_number() OVER (ORDER BY gained DESC, clicks DESC, impressions DESC, name) AS byRise,
        row_number() OVER (ORDER BY gained, before_clicks DESC, before_impressions DESC, name) AS byFall
      FROM (SELECT toString(f.${grain}) AS name, ${comparedSums} FROM ${source} GROUP BY f.${grain}))
    WHERE byClicks <= {limit:UInt32} OR byRise <= {limit:UInt32} OR byFall <= {limit:UInt32}`
  return askWith(client, { sql, row, params: { property, ...comparedDays({ current, previous }), limit } })
}

/** The table of a grain as `f`, on its loads of both periods; null where it has none. */
export function sourceOf(
  loads: readonly StoredLoad[],
  grain: 'page' | 'query' | 'query_page',
  current: Span,
  previous: Span | null,
): string | null {
  const some = loads.filter((load) => load.grain === grain)
  if (some.length === 0) return null
  return `${tableOf(grain)} AS f WHERE ${onStoredLoads(some, previous ? [current, previous] : [current])}`
}
