import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { brandParams, isBrandSql } from './brand-sql.ts'
import { askWith } from '../question.ts'
import { inWindow, ofWindow, windowColumns, windowFigures, type WindowId, windowParams, windowSums } from './window-columns.ts'

const listed = z.object({ count: z.number(), clicks: z.number(), impressions: z.number() })
export type Listed = z.infer<typeof listed>

/** The number of pages or queries shown in a window, and their sums. */
export async function windowListed(client: ClickHouseClient, grain: 'page' | 'query', window: WindowId): Promise<Listed> {
  const sql = `SELECT countIf(w.impressions > 0) AS count, sum(w.clicks) AS clicks, sum(w.impressions) AS impressions
    FROM window_${grain} AS w WHERE ${inWindow('w.')}`
  const [sums] = await askWith(client, { sql, row: listed, ...ofWindow, params: windowParams(window) })
  return sums ?? { count: 0, clicks: 0, impressions: 0 }
}

const brandRow = windowFigures.extend({ brand: z.coerce.boolean() })
export type BrandSums = z.infer<typeof brandRow>

/** The sums of branded and other queries; a side without queries is absent. */
export function windowBrandSums(client: ClickHouseClient, window: WindowId, brandTerms: readonly string[]): Promise<BrandSums[]> {
  const sql = `SELECT brand, ${windowColumns} FROM (
      SELECT ${isBrandSql('w.query', brandTerms)} AS brand, ${windowSums} FROM window_query AS w WHERE ${inWindow('w.')} GROUP BY brand)`
  return askWith(client, { sql, row: brandRow, ...ofWindow, params: { ...windowParams(window), ...brandParams(brandTerms) } })
}
