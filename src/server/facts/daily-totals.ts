import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { isoDate } from '../../contract/common.ts'
import { onCurrentDays } from './current.ts'
import { ask, type Scope } from './question.ts'

/** Totals of one day, anonymised queries included. `position` is null on a day without impressions. */
const row = z.object({
  date: isoDate,
  clicks: z.number(),
  impressions: z.number(),
  positionSum: z.number(),
})
export type DailyTotal = z.infer<typeof row>

const sql = `SELECT date, sum(clicks) AS clicks, sum(impressions) AS impressions, sum(position_sum) AS positionSum
  FROM facts_total WHERE ${onCurrentDays('total')}
  GROUP BY date ORDER BY date`

/** Totals day by day, oldest first; days for which Google has no data are absent. */
export function dailyTotals(client: ClickHouseClient, scope: Scope): Promise<DailyTotal[]> {
  return ask(client, { sql, row, scope })
}
