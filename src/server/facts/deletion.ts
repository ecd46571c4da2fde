import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { roomsOfServers, spareRoom } from './disk-rooms.ts'
import type { FactsLayout } from './layout.ts'
import { askWith, databaseOf } from './question.ts'
import { windowTables } from './questions/window-schema.ts'
import { storedGrains, tableOf } from './schema.ts'

/** Named in one statement; a server accepts parameters of up to 128 KiB. */
const deletedAtOnce = 5_000

/** What readers look up first: the current loads, and complete windows. */
const pointers = ['facts_current', 'windows']
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

/** A partition (a month of everybody's facts, a day's windows) that no disk has room to rewrite now; sizes in bytes. */
export type Unfit = { table: string; partition: string; size: number; spare: number }

/**
 * Permanently deletes what is stored about some properties, one partition after another: a deletion rewrites every part that has a row of
 * them, for all accounts, and the replaced parts stay on the disk for minutes.
 * @param whileRoom end before the first partition that the disks have no spare room to rewrite
 * @returns that partition; undefined once everything is deleted
 */
export async function deleteProperties(
  client: ClickHouseClient,
  properties: readonly number[],
  layout: FactsLayout,
  { whileRoom = false } = {},
): Promise<Unfit | undefined> {
  const database = await databaseOf(client)
  const found: Holding[] = []
  for (const table of tables) {
    for (const query of layout.settle(database, table)) await client.command({ query })
    found.push(...(await holdingsOf(client, table, properties)))
  }
  if (found.length === 0) return undefined
  const sizes = await sizesOf(client, layout, { database, of: tables })
  const sizeOf = ({ table, id }: Holding): number =>
    Math.max(0, ...sizes.filter((each) => each.table === layout.beside(table) && each.id === id).map(({ bytes }) => bytes))
  // Pointers first, so that none is read without its rows; then whatever fits most easily.
  const rank = ({ table }: Holding): number => (pointers.includes(table) ? 0 : 1)
  const sorted = found
    .map((holding) => ({ holding, size: sizeOf(holding) }))
    .sort((a, b) => rank(a.holding) - rank(b.holding) || a.size - b.size)
  for (const { holding } of sorted) {
    for (const some of someOf(holding.properties)) {
      const unfit = whileRoom ? await unfitOf(client, layout, database, holding) : undefined
      if (unfit) return unfit
      await deleteRows(client, layout, holding, some)
    }
  }
  return undefined
}

/** A partition, and those of the properties that have rows in it. */
type Holding = { table: string; id: string; properties: number[] }

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

const size = z.object({ host: z.string(), disk: z.string(), table: z.string(), id: z.string(), bytes: z.number() })

/** What the partitions of some tables take up on each disk of each server. */
function sizesOf(client: ClickHouseClient, layout: FactsLayout, { database, of }: { database: string; of: readonly string[] }) {
  return askWith(client, {
    sql: `SELECT hostName() AS host, disk_name AS disk, table, partition_id AS id, toFloat64(sum(bytes_on_disk)) AS bytes
      FROM ${layout.everywhere('system.parts')} WHERE active AND database = {database:String} AND table IN {tables:Array(String)}
      GROUP BY host, disk, table, id`,
    row: size,
    params: { database, tables: of.map((table) => layout.beside(table)) },
  })
}

/** A part is rewritten on its own disk, so that has to have room for all of the partition's parts on it. */
async function unfitOf(
  client: ClickHouseClient,
  layout: FactsLayout,
  database: string,
  { table, id }: Holding,
): Promise<Unfit | undefined> {
  const sizes = await sizesOf(client, layout, { database, of: [table] })
  for (const room of await roomsOfServers(client, layout)) {
    const here = sizes.find((each) => each.id === id && each.host === room.host && each.disk === room.disk)
    if (here && here.bytes > spareRoom(room)) return { table, partition: id, size: here.bytes, spare: spareRoom(room) }
  }
  return undefined
}
