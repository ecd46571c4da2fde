import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { isoDate } from '../../../contract/common.ts'
import { brandParams, isBrandSql } from './brand-sql.ts'
import type { Span } from '../current.ts'
import { andWithin, askInTime, type Within, withinParams } from '../filter-sql.ts'
import { askWith } from '../question.ts'
import { tableOf } from '../schema.ts'
import { onStoredLoads, type StoredLoad, storedLoads } from '../stored-loads.ts'
import { sums, sumsSql } from './sums.ts'
import { inWindow, type WindowId, windowParams } from './window-columns.ts'

const row = z.object({ date: isoDate, ...sums })
export type DailyFigures = z.infer<typeof row>

/** Daily figures of the whole property, a page, a query, or a query on a page; or of what a segment has of the property. */
export type DailyQuestion = {
  property: number
  spans: readonly Span[]
  page?: string | undefined
  query?: string | undefined
  within?: Within | undefined
}

/** The grain with these figures. */
export function grainOf({ page, query }: Pick<DailyQuestion, 'page' | 'query'>): 'total' | 'page' | 'query' | 'query_page' {
  if (page === undefined) return query === undefined ? 'total' : 'query'
  return query === undefined ? 'page' : 'query_page'
}

/** Figures by day at the matching grain, oldest first; days without impressions are absent. Web search only. */
export async function dailyFigures(
  client: ClickHouseClient,
  { property, spans, page, query, within }: DailyQuestion,
): Promise<DailyFigures[]> {
  const grain = within?.grain ?? grainOf({ page, query })
  const loads = await storedLoads(client, { property, searchType: within?.type, grains: [grain], spans })
  if (loads.length === 0) return []
  const named = [...(page === undefined ? [] : ['f.page = {page:String}']), ...(query === undefined ? [] : ['f.query = {query:String}'])]
  const sql = `SELECT f.date AS date, ${sumsSql} FROM ${tableOf(grain)} AS f
    WHERE ${[onStoredLoads(loads, spans, within?.type), ...named].join(' AND ')}${andWithin(within)} GROUP BY date HAVING impressions > 0 OR clicks > 0 ORDER BY date`
  const params = { ...withinParams(within), property, page: page?.toWellFormed(), query: query?.toWellFormed() }
  return within ? askInTime(client, within, { sql, row, params }) : askWith(client, { sql, row, params })
}

const brandRow = row.extend({ brand: z.coerce.boolean() })
export type BrandDay = z.infer<typeof brandRow>

/** Figures of branded and other queries, by day; a day without such queries is absent. `window` contains every query of the span. */
export async function brandDays(
  client: ClickHouseClient,
  { property, span, window, brandTerms }: { property: number; span: Span; window: WindowId; brandTerms: readonly string[] },
): Promise<BrandDay[]> {
  const loads = await storedLoads(client, { property, grains: ['query'], spans: [span] })
  if (loads.length === 0) return []
  // Classifies each query once, not once a day.
  const sql = `SELECT f.date AS date, f.query IN (
        SELECT query FROM window_query WHERE ${inWindow()} AND ${isBrandSql('query', brandTerms)}) AS brand, ${sumsSql}
    FROM facts_query AS f WHERE ${onStoredLoads(loads, [span])} GROUP BY date, brand ORDER BY date`
  return askWith(client, { sql, row: brandRow, params: { ...windowParams(window), ...brandParams(brandTerms) } })
}

const bin = z.object({ position: z.number(), impressions: z.number(), clicks: z.number() })

/**
 * Impressions and clicks at each rounded position of a day's rows; `last` includes everything further down. Excludes branded queries.
 * `loads` are those of the query grain.
 */
export async function positionBins(
  client: ClickHouseClient,
  {
    property,
    span,
    loads,
    brandTerms,
    last,
  }: { property: number; span: Span; loads: readonly StoredLoad[]; brandTerms: readonly string[]; last: number },
): Promise<z.infer<typeof bin>[]> {
  const others = brandTerms.length === 0 ? '' : `AND NOT ${isBrandSql('f.query', brandTerms)}`
  const sql = `SELECT toUInt32(least(greatest(floor(f.position_sum / f.impressions + 0.5), 1), {last:UInt32})) AS position,
      sum(f.impressions) AS impressions, sum(f.clicks) AS clicks
    FROM facts_query AS f WHERE ${onStoredLoads(loads, [span])} AND f.position_sum > 0 AND f.impressions > 0 ${others}
    GROUP BY position ORDER BY position`
  return askWith(client, { sql, row: bin, params: { property, last, ...brandParams(brandTerms) } })
}
