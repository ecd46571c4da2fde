import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { type Grain, grains, tableOf } from './schema.ts'

const stalePartition = z.object({ month: z.coerce.number(), stale: z.coerce.number() })

/** Rows that nobody reads any more are worth a rewrite of their month from this share on. */
const worthwhile = 0.2

/**
 * Deletes rows of loads that have been replaced, or that were never published, month by month.
 * Only loads numbered below `before` are looked at: choose it so old that none of them can still
 * be being written. Answers how many rows were dropped. Readers are not disturbed: they read
 * current loads only.
 */
export async function sweepOldLoads(client: ClickHouseClient, before: number): Promise<number> {
  let dropped = 0
  for (const grain of grains) dropped += await sweepGrain(client, grain, before)
  return dropped
}

async function sweepGrain(client: ClickHouseClient, grain: Grain, before: number): Promise<number> {
  const stale = (days: string) => `load < {before:UInt64} AND (property, type, date, load) NOT IN (
    SELECT property, type, date, max(load) FROM facts_current WHERE grain = '${grain}' AND ${days} GROUP BY property, type, date)`
  const answer = await client.query({
    query: `SELECT toYYYYMM(date) AS month, countIf(${stale('1')}) AS stale FROM ${tableOf(grain)}
      GROUP BY month HAVING stale > count() * ${worthwhile}`,
    query_params: { before },
    format: 'JSONEachRow',
  })
  let dropped = 0
  for (const { month, stale: rows } of z.array(stalePartition).parse(await answer.json())) {
    await client.command({
      query: `ALTER TABLE ${tableOf(grain)} DELETE IN PARTITION ID '${month}' WHERE ${stale(`toYYYYMM(date) = ${month}`)}
        SETTINGS mutations_sync = 1`,
      query_params: { before },
    })
    dropped += rows
  }
  return dropped
}

const settledProperty = z.object({ property: z.coerce.number() })

/** Properties with facts, all of whose loads are numbered below `before`: none of them is just being made. */
export async function settledProperties(client: ClickHouseClient, before: number): Promise<number[]> {
  const answer = await client.query({
    query: 'SELECT property FROM facts_current GROUP BY property HAVING max(load) < {before:UInt64}',
    query_params: { before },
    format: 'JSONEachRow',
  })
  return z
    .array(settledProperty)
    .parse(await answer.json())
    .map((row) => row.property)
}
