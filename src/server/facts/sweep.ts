import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { type FactsLayout, oneServer } from './layout.ts'
import { askWith } from './question.ts'
import { type StoredGrain, storedGrains, tableOf } from './schema.ts'

const stalePartition = z.object({ month: z.number(), stale: z.number() })

const database = z.object({ name: z.string() })

/** Rows that nobody reads any more are worth a rewrite of their month from this share on. */
const worthwhile = 0.2

/**
 * Deletes rows of loads that have been replaced, or that were never published, month by month. Only loads numbered below
 * `before` are looked at, and what took their place has to be numbered below it too: choose it so old that none of them
 * can still be being written, or be read by somebody who found them current. Answers how many rows were dropped.
 * Readers are not disturbed: they read current loads only.
 */
export async function sweepOldLoads(client: ClickHouseClient, before: number, layout: FactsLayout = oneServer): Promise<number> {
  // Each server decides by the pointers it has: one that lags would take the rows of a published load for forgotten ones.
  const [here] = await askWith(client, { sql: 'SELECT currentDatabase() AS name', row: database, params: {} })
  for (const query of layout.settle(here?.name ?? 'default', 'facts_current')) await client.command({ query })
  let dropped = 0
  for (const grain of storedGrains) dropped += await sweepGrain(client, grain, before, layout)
  return dropped
}

async function sweepGrain(client: ClickHouseClient, grain: StoredGrain, before: number, layout: FactsLayout): Promise<number> {
  const months = await askWith(client, {
    sql: `SELECT toYYYYMM(date) AS month, countIf(${stale('facts_current', `grain = '${grain}'`)}) AS stale FROM ${tableOf(grain)}
      GROUP BY month HAVING stale > count() * ${worthwhile}`,
    row: stalePartition,
    params: { before },
  })
  let dropped = 0
  for (const { month, stale: rows } of months) {
    const which = stale(layout.beside('facts_current'), `grain = '${grain}' AND toYYYYMM(date) = ${month}`)
    await client.command({
      query: `${layout.alter(tableOf(grain))} DELETE IN PARTITION ID '${month}' WHERE ${which} ${layout.deletion('looks')}`,
      query_params: { before },
    })
    dropped += rows
  }
  return dropped
}

/**
 * The condition on rows that nobody reads. Whoever found a load current goes on reading it for a while after it was
 * replaced, so a day whose newest load is not below `before` is left alone. What it says of a row never changes from
 * yes to no but by a newer load of that day: servers of a cluster that ask it one after another agree, or keep more.
 */
const stale = (pointers: string, ofGrain: string): string => `load < {before:UInt64}
    AND (property, type, date, load) NOT IN (SELECT property, type, date, max(load) FROM ${pointers} WHERE ${ofGrain} GROUP BY property, type, date)
    AND (property, type, date) NOT IN (
      SELECT property, type, date FROM ${pointers} WHERE ${ofGrain} GROUP BY property, type, date HAVING max(load) >= {before:UInt64})`

const settledProperty = z.object({ property: z.number() })

/** Properties with facts, all of whose loads are numbered below `before`: none of them is just being made. */
export async function settledProperties(client: ClickHouseClient, before: number): Promise<number[]> {
  const sql = 'SELECT property FROM facts_current GROUP BY property HAVING max(load) < {before:UInt64}'
  const rows = await askWith(client, { sql, row: settledProperty, params: { before } })
  return rows.map(({ property }) => property)
}
