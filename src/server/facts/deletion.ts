import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { FactsLayout } from './layout.ts'
import { askWith, databaseOf } from './question.ts'
import { windowTables } from './questions/window-schema.ts'
import { type Partition, pointers, rewriteWhileRoom, type Unfit } from './rewriting.ts'
import { storedGrains, tableOf } from './schema.ts'

/** Named in one statement; a server accepts parameters of up to 128 KiB. */
const deletedAtOnce = 5_000

const tables = [...pointers, ...windowTables.filter((table) => !pointers.includes(table)), ...storedGrains.map(tableOf)]

function* someOf(properties: readonly number[]): Generator<readonly number[]> {
  for (let from = 0; from < properties.length; from += deletedAtOnce) yield properties.slice(from, from + deletedAtOnce)
}

/** Deletes all pointers to what is stored about some properties, whether or not this server has heard of them yet. */
export async function deletePointers(client: ClickHouseClient, properties: readonly number[], layout: FactsLayout): Promise<void> {
  for (const some of someOf(properties)) for (const table of pointers) await deleteRows(client, layout, { table }, some)
}

async function deleteRows(
  client: ClickHouseClient,
  layout: FactsLayout,
  { table, id }: { table: string; id?: string },
  some: readonly number[],
) {
  const where = id === undefined ? '' : `IN PARTITION ID '${id}' `
  await client.command({
    query: `${layout.alter(table)} DELETE ${where}WHERE property IN {properties:Array(UInt64)} ${layout.deletion()}`,
    query_params: { properties: some },
  })
}

/**
 * Permanently deletes what is stored about some properties, one partition after another, where there is room (see rewriting.ts).
 * @returns the first partition that there was no room to rewrite; undefined once everything is deleted
 */
export async function deleteProperties(
  client: ClickHouseClient,
  properties: readonly number[],
  layout: FactsLayout,
): Promise<Unfit | undefined> {
  const database = await databaseOf(client)
  const found: Holding[] = []
  for (const table of tables) {
    for (const query of layout.settle(database, table)) await client.command({ query })
    found.push(...(await holdingsOf(client, table, properties)))
  }
  const statements = found.flatMap((holding) => [...someOf(holding.properties)].map((some) => ({ ...holding, properties: some })))
  return rewriteWhileRoom(client, layout, statements, (each) => deleteRows(client, layout, each, each.properties))
}

/** A partition, and those of the properties that have rows in it. */
type Holding = Partition & { properties: number[] }

const holder = z.object({ id: z.string(), properties: z.array(z.number()) })

async function holdingsOf(client: ClickHouseClient, table: string, properties: readonly number[]): Promise<Holding[]> {
  const byId = new Map<string, Holding>()
  for (const some of someOf(properties)) {
    const rows = await askWith(client, {
      sql: `SELECT _partition_id AS id, groupUniqArray(property) AS properties FROM ${table}
        WHERE property IN {some:Array(UInt64)} GROUP BY id`,
      row: holder,
      params: { some: [...some] },
      mostBytes: 256 * 1024 ** 2,
    })
    for (const { id, properties: those } of rows) {
      const known = byId.get(id)
      if (known) known.properties = known.properties.concat(those)
      else byId.set(id, { table, id, properties: those })
    }
  }
  return [...byId.values()]
}
