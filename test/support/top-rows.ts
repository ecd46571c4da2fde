import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { askCurrent } from '../../src/server/facts/ask-current.ts'
import type { Scope } from '../../src/server/facts/question.ts'
import { grainDimensions, tableOf } from '../../src/server/facts/schema.ts'

const figures = {
  clicks: z.number(),
  impressions: z.number(),
  /** A fraction; 0 without impressions. */
  ctr: z.number(),
  /** Impression-weighted mean over rows with a known position; 0 without any. */
  position: z.number(),
}

/** The available lists and their row types. */
const rows = {
  page: z.object({ page: z.string(), ...figures }),
  query: z.object({ query: z.string(), ...figures }),
  query_page: z.object({ query: z.string(), page: z.string(), ...figures }),
} as const
export type ListGrain = keyof typeof rows
export type TopRow<G extends ListGrain> = z.infer<(typeof rows)[G]>

/** The question as SQL; `filter` selects the table's rows. Exported for the benchmark. */
export function topRowsSql(grain: ListGrain, filter: string): string {
  const dimensions = grainDimensions[grain].join(', ')
  return `SELECT ${dimensions}, sum(f.clicks) AS clicks, sum(f.impressions) AS impressions,
      if(sum(f.impressions) = 0, 0, sum(f.clicks) / sum(f.impressions)) AS ctr,
      if(sum(f.position_sum) = 0, 0, sum(f.position_sum) / sumIf(f.impressions, f.position_sum > 0)) AS position
    FROM ${tableOf(grain)} AS f WHERE ${filter}
    GROUP BY ${dimensions} ORDER BY clicks DESC, impressions DESC, ${dimensions} LIMIT {limit:UInt32}`
}

/**
 * The rows with the most clicks in a period, summed from the grain's own figures: pages from the page grain, queries from the query grain
 * (docs/google-api.md: totals differ by grouping). No screen asks this: it is for tests, and for the benchmark of the store itself.
 */
export function topRows<G extends ListGrain>(client: ClickHouseClient, grain: G, scope: Scope, limit: number): Promise<TopRow<G>[]> {
  return askCurrent(client, {
    grain,
    sql: (filter) => topRowsSql(grain, filter),
    row: rows[grain] as unknown as z.ZodType<TopRow<G>>,
    scope,
    params: { limit },
  })
}
