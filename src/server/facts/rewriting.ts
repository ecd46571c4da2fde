import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { roomsOfServers, spareRoom } from './disk-rooms.ts'
import type { FactsLayout } from './layout.ts'
import { askWith, databaseOf } from './question.ts'

/** What readers look up first: the current loads, and complete windows. */
export const pointers: readonly string[] = ['facts_current', 'windows']

/** A month of everybody's facts, a day's windows, or a table without partitions. */
export type Partition = { table: string; id: string }

/** A partition that one of its disks has no room to rewrite now; sizes in bytes. */
export type Unfit = { table: string; partition: string; size: number; spare: number }

/**
 * Rewrites partitions one after another, where there is room: a mutation rewrites every part that has one of its rows, for all
 * accounts, and the replaced parts stay on the disk for minutes. Everything that deletes rows of months goes through here.
 * @param rewrite deletes rows of this partition, and returns when it is done everywhere
 * @returns the first partition that the disks have no spare room to rewrite; such partitions are left as they are
 */
export async function rewriteWhileRoom<Of extends Partition>(
  client: ClickHouseClient,
  layout: FactsLayout,
  partitions: readonly Of[],
  rewrite: (partition: Of) => Promise<void>,
): Promise<Unfit | undefined> {
  if (partitions.length === 0) return undefined
  const database = await databaseOf(client)
  const sizes = await sizesOf(client, layout, database, [...new Set(partitions.map(({ table }) => table))])
  const sizeOf = ({ table, id }: Partition): number =>
    Math.max(0, ...sizes.filter((each) => each.table === layout.beside(table) && each.id === id).map(({ bytes }) => bytes))
  // Pointers first, so that none is read without its rows; then whatever fits most easily.
  const rank = ({ table }: Partition): number => (pointers.includes(table) ? 0 : 1)
  const sorted = partitions
    .map((partition) => ({ partition, size: sizeOf(partition) }))
    .sort((a, b) => rank(a.partition) - rank(b.partition) || a.size - b.size)
  let first: Unfit | undefined
  for (const { partition } of sorted) {
    const unfit = await unfitOf(client, layout, database, partition)
    if (!unfit) await rewrite(partition)
    // Nothing that these name may go; other months may be on disks that have room.
    else if (pointers.includes(partition.table)) return unfit
    first ??= unfit
  }
  return first
}

const size = z.object({ host: z.string(), disk: z.string(), table: z.string(), id: z.string(), bytes: z.number() })

/** What the partitions of some tables take up on each disk of each server. */
function sizesOf(client: ClickHouseClient, layout: FactsLayout, database: string, tables: readonly string[]) {
  return askWith(client, {
    sql: `SELECT hostName() AS host, disk_name AS disk, table, partition_id AS id, toFloat64(sum(bytes_on_disk)) AS bytes
      FROM ${layout.everywhere('system.parts')} WHERE active AND database = {database:String} AND table IN {tables:Array(String)}
      GROUP BY host, disk, table, id`,
    row: size,
    params: { database, tables: tables.map((table) => layout.beside(table)) },
  })
}

/** A part is rewritten on its own disk, so each disk needs room for all of the partition's parts on it. */
async function unfitOf(
  client: ClickHouseClient,
  layout: FactsLayout,
  database: string,
  { table, id }: Partition,
): Promise<Unfit | undefined> {
  const sizes = await sizesOf(client, layout, database, [table])
  for (const room of await roomsOfServers(client, layout)) {
    const here = sizes.find((each) => each.id === id && each.host === room.host && each.disk === room.disk)
    if (here && here.bytes > spareRoom(room)) return { table, partition: id, size: here.bytes, spare: spareRoom(room) }
  }
  return undefined
}
