import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { FactsLayout } from './layout.ts'
import { askWith } from './question.ts'

/** The tables that are there do not fit the servers we were given; the message is one line. */
class LayoutError extends Error {
  override name = 'LayoutError'
}

const shard = z.object({ weight: z.number() })
const table = z.object({ name: z.string(), engine: z.string(), comment: z.string() })

/** How the tables of a cluster are noted to be spread: by the weights of its shards, in their order. */
const spreadOf = (weights: readonly number[]): string => `Ranklark: shards of weight ${weights.join(', ')}`

/** What is there of these tables, and how a new one is to be spread. */
type TablesThere = { names: ReadonlySet<string>; spread: string }

/**
 * Looks which of the tables are there, and that they lie on the servers they were made for. Which shard a property lies
 * on follows from how many there are: with one more, most rows would be looked for where they are not.
 * @throws LayoutError
 */
export async function lookAtTables(client: ClickHouseClient, { cluster }: FactsLayout, names: readonly string[]): Promise<TablesThere> {
  const found = await askWith(client, {
    sql: 'SELECT name, engine, comment FROM system.tables WHERE database = currentDatabase() AND name IN {names:Array(String)}',
    row: table,
    params: { names: [...names] },
  })
  const there = new Set(found.map(({ name }) => name))
  if (cluster === undefined) {
    const spread = found.find(({ engine }) => engine === 'Distributed')
    if (spread)
      throw new LayoutError(`The table ${spread.name} of this ClickHouse is spread over a cluster: name it with CLICKHOUSE_CLUSTER`)
    return { names: there, spread: '' }
  }
  const shards = await askWith(client, {
    sql: `SELECT max(shard_weight) AS weight FROM system.clusters WHERE cluster = {cluster:String} GROUP BY shard_num ORDER BY shard_num`,
    row: shard,
    params: { cluster },
  })
  if (shards.length === 0)
    throw new LayoutError(`The ClickHouse at CLICKHOUSE_URL knows no cluster ${cluster}, which CLICKHOUSE_CLUSTER names`)
  const spread = spreadOf(shards.map(({ weight }) => weight))
  for (const { name, engine, comment } of found) {
    if (engine !== 'Distributed')
      throw new LayoutError(
        `CLICKHOUSE_CLUSTER is given, but the table ${name} lies on this ClickHouse alone: name another database in CLICKHOUSE_URL and copy the facts into it (docs/decisions/0031-clickhouse-cluster.md)`,
      )
    if (comment !== spread)
      throw new LayoutError(
        `The facts were spread over other shards than cluster ${cluster} has ("${comment}" before, "${spread}" now): name another database in CLICKHOUSE_URL and copy the facts into it (docs/decisions/0031-clickhouse-cluster.md)`,
      )
  }
  return { names: there, spread }
}
