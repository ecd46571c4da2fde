import type { ClickHouseClient } from '@clickhouse/client'
import { grains, tableOf } from './schema.ts'

/** Deletes everything stored about some properties, for good. */
export async function dropProperties(client: ClickHouseClient, properties: readonly number[]): Promise<void> {
  if (properties.length === 0) return
  // The pointers go first: from then on nothing of these properties is read.
  for (const table of ['facts_current', ...grains.map(tableOf)]) {
    await client.command({
      query: `ALTER TABLE ${table} DELETE WHERE property IN {properties:Array(UInt64)} SETTINGS mutations_sync = 1`,
      query_params: { properties: [...properties] },
    })
  }
}
