import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { askWith } from './question.ts'

const row = z.object({ rows: z.number() })
const rowsOfProperty = row.extend({ property: z.number() })

export type ImportedRowsQuestion = {
  /** All properties with imported files. */
  properties: readonly number[]
  /** Those of them with nothing but files. */
  filesOnly: readonly number[]
  /** Loads from files in the others. */
  loads: readonly number[]
}

/** How many rows from files are stored, over all grains and search types, without those that newer days replaced. */
export async function importedRows(client: ClickHouseClient, { properties, filesOnly, loads }: ImportedRowsQuestion): Promise<number> {
  if (properties.length === 0) return 0
  const sql = `SELECT sum(rows) AS rows FROM (
      SELECT c.property AS property, max(c.load) AS newest, argMax(c.rows, c.load) AS rows FROM facts_current AS c
      WHERE c.property IN {properties:Array(UInt64)} GROUP BY c.property, c.type, c.grain, c.date)
    WHERE property IN {filesOnly:Array(UInt64)} OR newest IN {loads:Array(UInt64)}`
  const [found] = await askWith(client, { sql, row, params: { properties: [...properties], filesOnly: [...filesOnly], loads: [...loads] } })
  return found?.rows ?? 0
}

/** How many rows of pages and queries each property has stored for the search type with the most; replaced ones count until they are swept. */
export async function rowsOf(client: ClickHouseClient, properties: readonly number[]): Promise<Map<number, number>> {
  const sql = `SELECT property, max(stored) AS rows FROM (
      SELECT c.property AS property, sum(c.rows) AS stored FROM facts_current AS c
      WHERE c.property IN {properties:Array(UInt64)} AND c.grain IN ('page', 'query', 'query_page') GROUP BY property, c.type)
    GROUP BY property`
  const found = await askWith(client, { sql, row: rowsOfProperty, params: { properties: [...properties] } })
  return new Map(found.map(({ property, rows }) => [property, rows]))
}
