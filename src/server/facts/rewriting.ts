import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { reasonOf } from '../platform/clickhouse/clickhouse-errors.ts'
import { abandonedNow } from '../platform/tenant.ts'
import { roomsOfServers, spareRoom } from './disk-rooms.ts'
import type { FactsLayout } from './layout.ts'
import { askWith, databaseOf } from './question.ts'

/** What readers look up first: the current loads, and complete windows. */
export const pointers: readonly string[] = ['facts_current', 'windows']

/** A month of everybody's facts, a day's windows, or a table without partitions. */
export type Partition = { table: string; id: string }

/** A partition that one of its disks has no room to rewrite now; sizes in bytes. */
export type Unfit = { table: string; partition: string; size: number; spare: number }

/** Deletes rows of partitions. Both of its parts name the partition that they read: a whole table may be too large for one statement. */
export type Rewriting<Found> = {
  /** What there is to delete in a partition, a statement each; none as a rule. */
  look(partition: Partition): Promise<readonly Found[]>
  /** Deletes that, and returns when it is done everywhere. */
  rewrite(partition: Partition, found: Found): Promise<void>
}

/**
 * Looks through the partitions of some tables and rewrites them one after another, where there is room: a mutation rewrites every part that
 * has one of its rows, for all accounts, and the replaced parts stay on the disk for minutes. Everything that deletes rows of months goes
 * through here. A partition that fails keeps no others from being rewritten.
 * @returns the first partition that the disks have no spare room to rewrite; such partitions are left as they are
 * @throws AggregateError at the end, if some failed; the reason why the current work is abandoned, before the next partition
 */
export async function rewriteWhileRoom<Found>(
  client: ClickHouseClient,
  layout: FactsLayout,
  tables: readonly string[],
  { look, rewrite }: Rewriting<Found>,
): Promise<Unfit | undefined> {
  const database = await databaseOf(client)
  // Pointers first, so that none is read without its rows; then whatever fits most easily.
  const rank = (table: string): number => (pointers.includes(table) ? 0 : 1)
  const sorted = (await partitionsOf(client, layout, tables)).sort((a, b) => rank(a.table) - rank(b.table) || a.bytes - b.bytes)
  let first: Unfit | undefined
  const failures: Error[] = []
  for (const partition of sorted) {
    abandonedNow()?.throwIfAborted()
    let unfit: Unfit | undefined
    try {
      for (const found of await look(partition)) {
        unfit = await unfitOf(client, layout, database, partition)
        if (unfit) break
        await rewrite(partition, found)
      }
    } catch (error) {
      failures.push(new Error(`${partition.table} ${partition.id}: ${reasonOf(error)}`, { cause: error }))
    }
    first ??= unfit
    // Nothing that these point to may go; other months may be on disks that have room.
    if (pointers.includes(partition.table) && (unfit || failures.length > 0)) break
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} partitions could not be rewritten`)
  return first
}

/** The partitions that some tables have on any server, and the size of each where it is largest. Counting the rows would read them all. */
export async function partitionsOf(
  client: ClickHouseClient,
  layout: FactsLayout,
  tables: readonly string[],
): Promise<(Partition & { bytes: number })[]> {
  const sizes = await sizesOf(client, layout, await databaseOf(client), tables)
  return tables.flatMap((table) =>
    [
      ...Map.groupBy(
        sizes.filter((each) => each.table === layout.beside(table)),
        ({ id }) => id,
      ),
    ].map(([id, some]) => ({ table, id, bytes: Math.max(...some.map(({ bytes }) => bytes)) })),
  )
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
