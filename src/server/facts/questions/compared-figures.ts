import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { IsoDate } from '../../../contract/common.ts'
import type { Span } from '../current.ts'
import { askWith } from '../question.ts'
import { type Grain, tableOf } from '../schema.ts'
import { onStoredLoads, storedLoads } from '../stored-loads.ts'
import { sumsWhen } from './sums.ts'
import { windowColumns, windowFigures } from './window-columns.ts'

export type ComparedQuestion = { property: number; current: Span; previous: Span | null }

/**
 * Sums of facts `f` in the period and the compared one, which may be a later one; `windowColumns` reads them. The question binds
 * `comparedDays`. A period of more than a year overlaps the same one a year earlier; shared days count in both.
 */
export const comparedSums = `${sumsWhen('', 'f.date BETWEEN {from:Date} AND {to:Date}')},
      ${sumsWhen('before_', 'f.date BETWEEN {since:Date} AND {until:Date}')}`

/** Before any stored day. */
const noDay = '1970-01-01'

type ComparedDays = Record<'from' | 'to' | 'since' | 'until', IsoDate>

/** Parameters of `comparedSums`. */
export const comparedDays = ({ current, previous }: { current: Span; previous: Span | null }): ComparedDays => ({
  from: current.start,
  to: current.end,
  since: previous?.start ?? noDay,
  until: previous?.end ?? noDay,
})

const segment = windowFigures.extend({ name: z.string() })
export type SegmentFigures = z.infer<typeof segment>

/** Figures by device or country, most clicks first. Web search only. */
export async function segmentFigures(
  client: ClickHouseClient,
  { property, current, previous, dimension }: ComparedQuestion & { dimension: 'device' | 'country' },
): Promise<SegmentFigures[]> {
  const from = await sourceOf(client, dimension, { property, current, previous })
  if (from === null) return []
  const sql = `SELECT name, ${windowColumns} FROM (SELECT f.${dimension} AS name, ${comparedSums} FROM ${from} GROUP BY name)
    ORDER BY clicks DESC, impressions DESC, name`
  return askWith(client, { sql, row: segment, params: { property, ...comparedDays({ current, previous }) } })
}

const pair = windowFigures.extend({ name: z.string(), share: z.number() })
export type PairShare = z.infer<typeof pair>

/**
 * The pages shown for a query, or the queries a page was shown for, most clicks first; `share` is their part of all their impressions in
 * the period. Web search only.
 */
export async function pairShares(
  client: ClickHouseClient,
  { of, limit, ...about }: ComparedQuestion & { of: { kind: 'page' | 'query'; name: string }; limit: number },
): Promise<PairShare[]> {
  const from = await sourceOf(client, 'query_page', about)
  if (from === null) return []
  const sql = `SELECT name, ${windowColumns}, impressions / sum(impressions) OVER () AS share FROM (
      SELECT toString(f.${of.kind === 'page' ? 'query' : 'page'}) AS name, ${comparedSums} FROM ${from} AND f.${of.kind} = {name:String} GROUP BY name)
    WHERE impressions > 0 ORDER BY clicks DESC, impressions DESC, name LIMIT {limit:UInt32}`
  const params = { property: about.property, ...comparedDays(about), name: of.name.toWellFormed(), limit }
  return askWith(client, { sql, row: pair, params })
}

/** A grain's table as `f`, limited to the loads of both periods; null if none of their days is stored. */
async function sourceOf(client: ClickHouseClient, grain: Grain, { property, current, previous }: ComparedQuestion): Promise<string | null> {
  const spans = previous ? [current, previous] : [current]
  const loads = await storedLoads(client, { property, grains: [grain], spans })
  return loads.length === 0 ? null : `${tableOf(grain)} AS f WHERE ${onStoredLoads(loads, spans)}`
}
