import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { askWith, type Scope } from './question.ts'
import { grains } from './schema.ts'

const row = z.object({ load: z.number() })

/** The newest current load among all grains of these days; 0 if none is stored. */
export async function newestLoad(client: ClickHouseClient, { property, searchType, start, end }: Scope): Promise<number> {
  const sql = `SELECT max(load) AS load FROM facts_current
    WHERE property = {property:UInt64} AND type = {type:String} AND grain IN {grains:Array(String)} AND date BETWEEN {start:Date} AND {end:Date}`
  const [newest] = await askWith(client, { sql, row, params: { property, type: searchType, grains: [...grains], start, end } })
  return newest?.load ?? 0
}
