import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { type FactsLayout, oneServer } from './layout.ts'
import { askWith, databaseOf } from './question.ts'
import { type Partition, rewriteWhileRoom, type Unfit } from './rewriting.ts'
import { type StoredGrain, storedGrains, tableOf } from './schema.ts'

const stalePartition = z.object({ id: z.string(), stale: z.number() })

/** Share of obsolete rows from which rewriting their month is worthwhile. */
const worthwhile = 0.2

/** What a sweep did; `unfit` is the first month whose disk had no room to rewrite it. All such months wait for the next sweep. */
export type Swept = { rows: number; unfit: Unfit | undefined }

/**
 * Deletes rows of replaced or never published loads, month by month, where there is room. Only considers loads numbered below `before`
 * whose replacements are below it too: choose it old enough that none of them can still be in writing, or be read by somebody who found
 * them current. Doesn't affect readers, who read current loads only.
 */
export async function sweepOldLoads(client: ClickHouseClient, before: number, layout: FactsLayout = oneServer): Promise<Swept> {
  // Each server decides by its own pointers: one that lags would take a published load's rows for abandoned ones.
  for (const query of layout.settle(await databaseOf(client), 'facts_current')) await client.command({ query })
  const months: StaleMonth[] = []
  for (const grain of storedGrains) months.push(...(await staleMonthsOf(client, grain, before)))
  let rows = 0
  const unfit = await rewriteWhileRoom(client, layout, months, async ({ table, id, grain, stale: obsolete }) => {
    const which = stale(layout.beside('facts_current'), `grain = '${grain}' AND toYYYYMM(date) = ${id}`)
    await client.command({
      query: `${layout.alter(table)} DELETE IN PARTITION ID '${id}' WHERE ${which} ${layout.deletion('looks')}`,
      query_params: { before },
    })
    rows += obsolete
  })
  return { rows, unfit }
}

type StaleMonth = Partition & { grain: StoredGrain; stale: number }

async function staleMonthsOf(client: ClickHouseClient, grain: StoredGrain, before: number): Promise<StaleMonth[]> {
  const table = tableOf(grain)
  const months = await askWith(client, {
    sql: `SELECT toString(toYYYYMM(date)) AS id, countIf(${stale('facts_current', `grain = '${grain}'`)}) AS stale FROM ${table}
      GROUP BY id HAVING stale > count() * ${worthwhile}`,
    row: stalePartition,
    params: { before },
  })
  return months.map((month) => ({ ...month, table, grain }))
}

/**
 * The condition on obsolete rows. A reader may use a load for a while after it was replaced, so a day whose newest load isn't below
 * `before` is left alone. Only a newer load of that day turns its answer for a row from yes to no: cluster servers that evaluate it one
 * after another agree, or keep more.
 */
const stale = (pointers: string, ofGrain: string): string => `load < {before:UInt64}
    AND (property, type, date, load) NOT IN (SELECT property, type, date, max(load) FROM ${pointers} WHERE ${ofGrain} GROUP BY property, type, date)
    AND (property, type, date) NOT IN (
      SELECT property, type, date FROM ${pointers} WHERE ${ofGrain} GROUP BY property, type, date HAVING max(load) >= {before:UInt64})`

const settledProperty = z.object({ property: z.number() })

/** Properties with facts, all of whose loads are numbered below `before`: none of them is still being created. */
export async function settledProperties(client: ClickHouseClient, before: number): Promise<number[]> {
  const sql = 'SELECT property FROM facts_current GROUP BY property HAVING max(load) < {before:UInt64}'
  const rows = await askWith(client, { sql, row: settledProperty, params: { before } })
  return rows.map(({ property }) => property)
}
