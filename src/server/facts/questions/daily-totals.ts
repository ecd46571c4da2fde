import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { isoDate, type IsoDate } from '../../../contract/common.ts'
import { askCurrent, askStored } from '../ask-current.ts'
import type { Scope } from '../question.ts'

/** Totals of one day, including anonymized queries. */
const row = z.object({
  date: isoDate,
  clicks: z.number(),
  impressions: z.number(),
  positionSum: z.number(),
  /** Impressions with a known position; the others have none to average. */
  rankedImpressions: z.number(),
})
export type DailyTotal = z.infer<typeof row>

const sql = (
  filter: string,
): string => `SELECT date, sum(f.clicks) AS clicks, sum(f.impressions) AS impressions, sum(f.position_sum) AS positionSum,
    sumIf(f.impressions, f.position_sum > 0) AS rankedImpressions
  FROM facts_total AS f WHERE ${filter}
  GROUP BY date ORDER BY date`

/** Totals day by day, oldest first; days for which Google has no data are absent. */
export function dailyTotals(client: ClickHouseClient, scope: Scope): Promise<DailyTotal[]> {
  return askCurrent(client, { grain: 'total', sql, row, scope })
}

/** Same, plus the stored days, from the same two queries. */
export async function storedTotals(client: ClickHouseClient, scope: Scope): Promise<{ stored: IsoDate[]; days: DailyTotal[] }> {
  const { stored, rows } = await askStored(client, { grain: 'total', sql, row, scope })
  return { stored, days: rows }
}
