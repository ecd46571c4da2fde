import { createReadStream } from 'node:fs'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { oneServer } from '../facts/layout.ts'
import { askWith, unhurried } from '../facts/question.ts'
import { partitionsOf } from '../facts/rewriting.ts'
import { storedGrains, tableOf } from '../facts/schema.ts'

/** Names the current load of each day; every row it names is in one of `rowTables`. */
export const pointerTable = 'facts_current'
export const rowTables: readonly string[] = storedGrains.map(tableOf)

/** The rows of a table that go into one file: from one partition, and from the properties `first` to `last`. */
export type Slice = { table: string; partition: string; first: number; last: number }

/** ClickHouse needs a few seconds for this many rows, so other writers wait no longer than that. Properties aren't split. */
const sliceRows = 8_000_000

const sliceRow = z.object({ first: z.number(), last: z.number() })
const rowCount = z.object({ rows: z.number() })

/** All current rows of a table, in slices. */
export async function slicesOf(client: ClickHouseClient, table: string): Promise<Slice[]> {
  const slices: Slice[] = []
  for (const { id: partition } of await partitionsOf(client, oneServer, [table])) {
    const found = await askWith(client, {
      row: sliceRow,
      sql: `SELECT min(property) AS first, max(property) AS last
        FROM (
          SELECT property, intDiv(sum(n) OVER (ORDER BY property) - n, {rows:UInt64}) AS slice
          FROM (SELECT property, count() AS n FROM ${table} WHERE _partition_id = {partition:String} GROUP BY property))
        GROUP BY slice ORDER BY slice`,
      params: { rows: sliceRows, partition },
      ...unhurried,
    })
    slices.push(...found.map((slice) => ({ table, partition, ...slice })))
  }
  return slices
}

/** The columns of a table, in order. */
export async function columnsOf(client: ClickHouseClient, table: string): Promise<string[]> {
  const columns = await askWith(client, {
    row: z.object({ name: z.string() }),
    sql: `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {table:String} ORDER BY position`,
    params: { table },
  })
  return columns.map(({ name }) => name)
}

/**
 * Writes a slice to a file in ClickHouse's Native format, which includes column names and types.
 * @returns the number of rows
 * @throws Error if the file is incomplete
 */
export async function writeFile(
  client: ClickHouseClient,
  { table, ...slice }: Slice,
  columns: readonly string[],
  file: string,
): Promise<number> {
  await client.command({
    query: `INSERT INTO FUNCTION file({file:String}, 'Native') SELECT ${columns.join(', ')} FROM ${table}
      WHERE _partition_id = {partition:String} AND property BETWEEN {first:UInt64} AND {last:UInt64}
      SETTINGS max_threads = 1, output_format_compression_level = 1`,
    query_params: { file, ...slice },
  })
  await mustBeWhole(file)
  // Read back, so that an unreadable file is noticed while it can still be written again.
  const [counted] = await askWith(client, {
    row: rowCount,
    sql: `SELECT count() AS rows FROM file({file:String}, 'Native')`,
    params: { file },
  })
  return counted?.rows ?? 0
}

/** Large chunks halve the time to unpack. */
const atOnce = 1024 ** 2

/**
 * On a full disk ClickHouse silently leaves half a file, and when it reads one, takes the rows it finds to be all of them.
 * @throws Error if the file is truncated, or isn't what was packed
 */
export async function mustBeWhole(file: string): Promise<void> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  await pipeline(createReadStream(file, { highWaterMark: atOnce }), createZstdDecompress({ chunkSize: atOnce }), nowhere)
}

/** Adds the rows of such a file to a table. */
export async function readFile(client: ClickHouseClient, table: string, columns: readonly string[], file: string): Promise<void> {
  await client.command({
    query: `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.join(', ')} FROM file({file:String}, 'Native')
      SETTINGS max_threads = 1, min_insert_block_size_rows = 250000, min_insert_block_size_bytes = 33554432`,
    query_params: { file },
  })
}

export async function countRows(client: ClickHouseClient, table: string): Promise<number> {
  const [counted] = await askWith(client, { row: rowCount, sql: `SELECT count() AS rows FROM ${table}`, params: {} })
  return counted?.rows ?? 0
}

/** The highest load number of any row; 0 without rows. */
export async function newestLoad(client: ClickHouseClient): Promise<number> {
  const each = [pointerTable, ...rowTables].map((table) => `SELECT max(load) AS load FROM ${table}`).join(' UNION ALL ')
  const [newest] = await askWith(client, {
    row: z.object({ load: z.number() }),
    sql: `SELECT max(load) AS load FROM (${each})`,
    params: {},
    ...unhurried,
  })
  return newest?.load ?? 0
}
