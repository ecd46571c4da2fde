import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { FactsLayout } from './layout.ts'
import { askWith, databaseOf, unhurried } from './question.ts'
import { windowTables } from './questions/window-schema.ts'
import { type Partition, pointers, rewriteWhileRoom, type Unfit } from './rewriting.ts'
import { storedGrains, tableOf } from './schema.ts'

/** Named in one statement; a server accepts parameters of up to 128 KiB. */
const deletedAtOnce = 5_000

const tables = [...pointers, ...windowTables.filter((table) => !pointers.includes(table)), ...storedGrains.map(tableOf)]

function* someOf(properties: readonly number[]): Generator<readonly number[]> {
  for (let from = 0; from < properties.length; from += deletedAtOnce) yield properties.slice(from, from + deletedAtOnce)
}

async function deleteRows(client: ClickHouseClient, layout: FactsLayout, { table, id }: Partition, some: readonly number[]) {
  await client.command({
    query: `${layout.alter(table)} DELETE IN PARTITION ID '${id}' WHERE property IN {properties:Array(UInt64)} ${layout.deletion()}`,
    query_params: { properties: some },
  })
}

/**
 * Permanently deletes what is stored about some properties, one partition after another, where there is room (see rewriting.ts).
 * @returns the first partition that there was no room to rewrite; undefined once everything is deleted
 * @throws AggregateError at the end, if some partitions failed
 */
export async function deleteProperties(
  client: ClickHouseClient,
  properties: readonly number[],
  layout: FactsLayout,
): Promise<Unfit | undefined> {
  const database = await databaseOf(client)
  for (const table of tables) for (const query of layout.settle(database, table)) await client.command({ query })
  return rewriteWhileRoom(client, layout, tables, {
    look: async (partition) => [...someOf(await heldIn(client, partition, properties))],
    rewrite: (partition, some) => deleteRows(client, layout, partition, some),
  })
}

const holder = z.object({ properties: z.array(z.number()) })

/** Those of the properties that have rows in a partition. */
async function heldIn(client: ClickHouseClient, { table, id }: Partition, properties: readonly number[]): Promise<number[]> {
  const held: number[] = []
  for (const some of someOf(properties)) {
    const [found] = await askWith(client, {
      sql: `SELECT groupUniqArray(property) AS properties FROM ${table} WHERE _partition_id = {id:String} AND property IN {some:Array(UInt64)}`,
      row: holder,
      params: { id, some: [...some] },
      ...unhurried,
    })
    held.push(...(found?.properties ?? []))
  }
  return held
}
