import { createHash } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { mostRowsADay } from '../../contract/analytics.ts'
import { isoDate, type SearchType } from '../../contract/common.ts'
import { type Span, withinSpans } from './current.ts'
import { onLoads } from './current-loads.ts'
import { askWith } from './question.ts'
import { type Grain, grains } from './schema.ts'

const row = z.object({
  grain: z.enum(grains),
  date: isoDate,
  load: z.number(),
  rows: z.number(),
  /** Sum over all its rows. */
  clicks: z.number(),
  impressions: z.number(),
})
/** A stored day of a grain; without rows it had no impressions. */
export type StoredLoad = z.infer<typeof row>

export type LoadsQuestion = { property: number; searchType?: SearchType | undefined; grains: readonly Grain[]; spans: readonly Span[] }

/**
 * The load to read for each stored day of several grains, oldest day first. Web search unless another type is given; asked before the
 * facts, like `currentLoads`.
 */
export function storedLoads(
  client: ClickHouseClient,
  { property, searchType = 'web', grains: asked, spans }: LoadsQuestion,
): Promise<StoredLoad[]> {
  const newest = (column: string) => `argMax(c.${column}, c.load) AS ${column}`
  const sql = `SELECT c.grain AS grain, c.date AS date, max(c.load) AS load, ${['rows', 'clicks', 'impressions'].map(newest).join(', ')}
    FROM facts_current AS c
    WHERE c.property = {property:UInt64} AND c.type = {type:String} AND c.grain IN {grains:Array(String)} AND ${withinSpans(spans)}
    GROUP BY grain, date ORDER BY grain, date`
  return askWith(client, { sql, row, params: { property, type: searchType, grains: [...asked] } })
}

/** Whether Google truncated a day's list. It never returns more rows, so a day with more was imported whole (docs/decisions/0042). */
export const isCutOff = ({ rows }: { rows: number }): boolean => rows === mostRowsADay

/** Number of days on which Google truncated a grain's list. */
export const cutOffDays = (loads: readonly StoredLoad[], grain: Grain): number =>
  loads.filter((load) => load.grain === grain && isCutOff(load)).length

/** Days on which a grain had impressions, at least 1: what its rows' sums are divided by for a score. */
export const scoredDays = (loads: readonly StoredLoad[], grain: Grain): number =>
  Math.max(1, loads.filter((load) => load.grain === grain && load.rows > 0).length)

/**
 * The condition that limits a question to these loads of a property, each span with its own constants so that the primary key prunes. The
 * question binds `property`.
 */
export function onStoredLoads(loads: readonly StoredLoad[], spans: readonly Span[], searchType: SearchType = 'web'): string {
  const conditions = spans
    .map((span) => loads.filter(({ date }) => date >= span.start && date <= span.end))
    .filter((some) => some.length > 0)
    .map((some) => `(${onLoads(some)})`)
  return `f.property = {property:UInt64} AND f.type = '${searchType}' AND (${conditions.join(' OR ') || 'false'})`
}

/** Equal for loads with the same rows; changes as soon as one of them is replaced. */
export const loadsMark = (loads: readonly StoredLoad[]): string =>
  createHash('sha256')
    .update(loads.map(({ grain, date, load }) => `${grain} ${date} ${load}`).join('\n'))
    .digest('base64url')
