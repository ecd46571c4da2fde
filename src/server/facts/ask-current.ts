import type { ClickHouseClient } from '@clickhouse/client'
import type { z } from 'zod'
import { currentLoads, onLoads } from './current-loads.ts'
import { askWith, type Scope } from './question.ts'
import type { StoredGrain } from './schema.ts'

/** Asks one question about one property, of the current load of each day; `sql` gets the condition that says so. */
export async function askCurrent<Row>(
  client: ClickHouseClient,
  question: { grain: StoredGrain; sql: (filter: string) => string; row: z.ZodType<Row>; scope: Scope; params?: Record<string, unknown> },
): Promise<Row[]> {
  const { grain, sql, row, scope, params } = question
  const loads = await currentLoads(client, grain, scope)
  if (loads.length === 0) return []
  return askWith(client, {
    sql: sql(`f.property = {property:UInt64} AND f.type = {type:String} AND ${onLoads(loads)}`),
    row,
    params: { property: scope.property, type: scope.searchType, ...params },
  })
}
