import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { comparedDays, comparedSums } from './compared-figures.ts'
import type { Span } from '../current.ts'
import { andWithin, askInTime, type Within, withinParams } from '../filter-sql.ts'
import { askWith } from '../question.ts'
import { type Grain, tableOf } from '../schema.ts'
import { onStoredLoads, type StoredLoad } from '../stored-loads.ts'
import { windowColumns, windowFigures } from './window-columns.ts'

export type PeriodQuestion = {
  property: number
  current: Span
  /** Null without a comparison; then nothing rises or falls. */
  previous: Span | null
  /** For both periods and at least the requested grain. */
  loads: readonly StoredLoad[]
  /** Only what a segment has of them. */
  within?: Within | null | undefined
}

const row = windowFigures.extend({
  name: z.string(),
  /** Number of distinct ones shown in the period. */
  shown: z.number(),
  /** Rank in each list, from 1. */
  byClicks: z.number(),
  byRise: z.number(),
  byFall: z.number(),
})
export type PeriodRow = z.infer<typeof row>

/**
 * The pages or queries of any period among the first `limit` by clicks, clicks gained or clicks lost, with their ranks. Groups the facts
 * themselves: a prepared window, which includes more than reports ask for, takes several times as long (docs/decisions/0025). Ties are in
 * the screens' order.
 */
export async function periodRows(
  client: ClickHouseClient,
  { property, current, previous, loads, grain, limit, within }: PeriodQuestion & { grain: 'page' | 'query'; limit: number },
): Promise<PeriodRow[]> {
  const source = sourceOf(loads, within?.grain ?? grain, current, previous)
  if (source === null) return []
  const sql = `SELECT name, ${windowColumns}, shown, byClicks, byRise, byFall FROM (
      SELECT *, countIf(impressions > 0) OVER () AS shown, toInt64(clicks) - toInt64(before_clicks) AS gained,
        row_number() OVER (ORDER BY impressions > 0 DESC, clicks DESC, impressions DESC, name) AS byClicks,
        row_number() OVER (ORDER BY gained DESC, clicks DESC, impressions DESC, name) AS byRise,
        row_number() OVER (ORDER BY gained, before_clicks DESC, before_impressions DESC, name) AS byFall
      FROM (SELECT toString(f.${grain}) AS name, ${comparedSums} FROM ${source}${andWithin(within)} GROUP BY f.${grain}))
    WHERE byClicks <= {limit:UInt32} OR byRise <= {limit:UInt32} OR byFall <= {limit:UInt32}`
  const params = { ...withinParams(within), property, ...comparedDays({ current, previous }), limit }
  return within ? askInTime(client, within, { sql, row, params }) : askWith(client, { sql, row, params })
}

/** A grain's table as `f`, limited to its loads of both periods; null if it has none. */
export function sourceOf(loads: readonly StoredLoad[], grain: Grain, current: Span, previous: Span | null): string | null {
  const some = loads.filter((load) => load.grain === grain)
  if (some.length === 0) return null
  return `${tableOf(grain)} AS f WHERE ${onStoredLoads(some, previous ? [current, previous] : [current])}`
}
