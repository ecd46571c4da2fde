import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { isoDate, type IsoDate } from '../../../contract/common.ts'
import { askCurrent, askStored } from '../ask-current.ts'
import type { Scope } from '../question.ts'
import { sums, sumsSql } from './sums.ts'

/** Totals of one day, including anonymized queries. */
const row = z.object({ date: isoDate, ...sums })
export type DailyTotal = z.infer<typeof row>

const sql = (filter: string): string => `SELECT date, ${sumsSql} FROM facts_total AS f WHERE ${filter} GROUP BY date ORDER BY date`

/** Totals day by day, oldest first; days for which Google has no data are absent. */
export function dailyTotals(client: ClickHouseClient, scope: Scope): Promise<DailyTotal[]> {
  return askCurrent(client, { grain: 'total', sql, row, scope })
}

/** Same, plus the stored days, from the same two queries. */
export async function storedTotals(client: ClickHouseClient, scope: Scope): Promise<{ stored: IsoDate[]; days: DailyTotal[] }> {
  const { stored, rows } = await askStored(client, { grain: 'total', sql, row, scope })
  return { stored, days: rows }
}
