import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { type FactsLayout, oneServer } from './layout.ts'
import { askWith, databaseOf, unhurried } from './question.ts'
import { type Partition, rewriteWhileRoom, type Unfit } from './rewriting.ts'
import { storedGrains, tableOf } from './schema.ts'

const staleRows = z.object({ rows: z.number(), stale: z.number() })

/** Share of obsolete rows from which rewriting their month is worthwhile. */
const worthwhile = 0.2

/** What a sweep did; `unfit` is the first month whose disk had no room to rewrite it. All such months wait for the next sweep. */
export type Swept = { rows: number; unfit: Unfit | undefined }

/**
 * Deletes rows of replaced or never published loads, where there is room. Asks about one month of one table at a time: the rows and pointers
 * of all accounts together are too many for one query. Only considers loads numbered below `before`
 * whose replacements are below it too: choose it old enough that none of them can still be being written, or be read by somebody who found
 * them current. Doesn't affect readers, who read current loads only.
 * @throws AggregateError at the end, if some months failed
 */
export async function sweepOldLoads(client: ClickHouseClient, before: number, layout: FactsLayout = oneServer): Promise<Swept> {
  // Each server decides by its own pointers: one that lags would take a published load's rows for abandoned ones.
  for (const query of layout.settle(await databaseOf(client), 'facts_current')) await client.command({ query })
  let rows = 0
  const grainOf = new Map(storedGrains.map((grain) => [tableOf(grain), grain]))
  // Pointers are sorted by property: a month of few properties, such as one long ago, reads only theirs.
  const staleIn = ({ table, id }: Partition, beside = (name: string) => name) =>
    stale(
      beside('facts_current'),
      `property IN (SELECT DISTINCT property FROM ${beside(table)} WHERE toYYYYMM(date) = ${id}) AND grain = '${grainOf.get(table)}' AND toYYYYMM(date) = ${id}`,
    )
  const unfit = await rewriteWhileRoom(client, layout, [...grainOf.keys()], {
    async look(month) {
      const [found] = await askWith(client, {
        sql: `SELECT count() AS rows, countIf(${staleIn(month)}) AS stale FROM ${month.table} WHERE toYYYYMM(date) = ${month.id}`,
        row: staleRows,
        params: { before },
        ...unhurried,
      })
      return found && found.stale > found.rows * worthwhile ? [found.stale] : []
    },
    async rewrite(month, obsolete) {
      await client.command({
        query: `${layout.alter(month.table)} DELETE IN PARTITION ID '${month.id}' WHERE ${staleIn(month, layout.beside)} ${layout.deletion('looks')}`,
        query_params: { before },
      })
      rows += obsolete
    },
  })
  return { rows, unfit }
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

/**
 * Properties with facts, all of whose loads are numbered below `before`: none of them is still being created. Reads everybody's pointers, but
 * remembers no more than the properties.
 */
export async function settledProperties(client: ClickHouseClient, before: number): Promise<number[]> {
  const sql = 'SELECT property FROM facts_current GROUP BY property HAVING max(load) < {before:UInt64}'
  const rows = await askWith(client, { sql, row: settledProperty, params: { before }, ...unhurried })
  return rows.map(({ property }) => property)
}
