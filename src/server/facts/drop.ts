import type { ClickHouseClient } from '@clickhouse/client'
import { type FactsLayout, oneServer } from './layout.ts'
import { storedGrains, tableOf } from './schema.ts'
import { windowTables } from './questions/window-schema.ts'

/** Named in one statement; a server accepts parameters of up to 128 KiB. */
const droppedAtOnce = 5_000

/** Permanently deletes everything stored about some properties. */
export async function dropProperties(
  client: ClickHouseClient,
  properties: readonly number[],
  layout: FactsLayout = oneServer,
): Promise<void> {
  for (let from = 0; from < properties.length; from += droppedAtOnce) {
    const some = properties.slice(from, from + droppedAtOnce)
    // Pointers first: from then on nothing of these properties is read.
    for (const table of ['facts_current', ...windowTables, ...storedGrains.map(tableOf)]) {
      await client.command({
        query: `${layout.alter(table)} DELETE WHERE property IN {properties:Array(UInt64)} ${layout.deletion()}`,
        query_params: { properties: some },
      })
    }
  }
}
