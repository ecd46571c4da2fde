import type { ClickHouseClient } from '@clickhouse/client'
import type { z } from 'zod'
import type { IsoDate } from '../../contract/common.ts'
import { currentLoads, onLoads } from './current-loads.ts'
import { askWith, type Scope } from './question.ts'
import type { StoredGrain } from './schema.ts'

type CurrentQuestion<Row> = {
  grain: StoredGrain
  sql: (filter: string) => string
  row: z.ZodType<Row>
  scope: Scope
  params?: Record<string, unknown>
}

/** Asks one question about one property's current load of each day; `sql` receives the condition that selects them. */
export const askCurrent = async <Row>(client: ClickHouseClient, question: CurrentQuestion<Row>): Promise<Row[]> =>
  (await askStored(client, question)).rows

/** Same, plus the stored days: a stored day without rows had no impressions. */
export async function askStored<Row>(
  client: ClickHouseClient,
  { grain, sql, row, scope, params }: CurrentQuestion<Row>,
): Promise<{ stored: IsoDate[]; rows: Row[] }> {
  const loads = await currentLoads(client, grain, scope)
  if (loads.length === 0) return { stored: [], rows: [] }
  const rows = await askWith(client, {
    sql: sql(`f.property = {property:UInt64} AND f.type = {type:String} AND ${onLoads(loads)}`),
    row,
    params: { property: scope.property, type: scope.searchType, ...params },
  })
  return { stored: loads.map(({ date }) => date), rows }
}
