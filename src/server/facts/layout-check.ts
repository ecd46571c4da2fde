import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { FactsLayout } from './layout.ts'
import { askWith } from './question.ts'

/** The existing tables don't fit the configured servers; the message is one line. */
class LayoutError extends Error {
  override name = 'LayoutError'
}

const shard = z.object({ weight: z.number() })
const table = z.object({ name: z.string(), engine: z.string(), comment: z.string(), type: z.string() })

/** The note on a cluster's tables about how they are sharded: the shards' weights, in order. */
const spreadOf = (weights: readonly number[]): string => `Ranklark: shards of weight ${weights.join(', ')}`

/** The existing tables with the type of their search types (empty for tables without), and how to shard a new one. */
type TablesThere = { types: ReadonlyMap<string, string>; spread: string }

/**
 * Checks which tables exist, and that they belong to these servers. The number of shards decides which shard a property is on: with one
 * more, most rows would be looked for in the wrong place.
 * @throws LayoutError
 */
export async function lookAtTables(client: ClickHouseClient, { cluster }: FactsLayout, names: readonly string[]): Promise<TablesThere> {
  const found = await askWith(client, {
    sql: `SELECT t.name AS name, t.engine AS engine, t.comment AS comment, c.type AS type
      FROM system.tables AS t
      LEFT JOIN (SELECT table, type FROM system.columns WHERE database = currentDatabase() AND name = 'type') AS c ON c.table = t.name
      WHERE t.database = currentDatabase() AND t.name IN {names:Array(String)}`,
    row: table,
    params: { names: [...names] },
  })
  const types = new Map(found.map(({ name, type }) => [name, type]))
  if (cluster === undefined) {
    const spread = found.find(({ engine }) => engine === 'Distributed')
    if (spread) throw new LayoutError(`The table ${spread.name} is distributed across a cluster: set CLICKHOUSE_CLUSTER to its name`)
    return { types, spread: '' }
  }
  const shards = await askWith(client, {
    sql: `SELECT max(shard_weight) AS weight FROM system.clusters WHERE cluster = {cluster:String} GROUP BY shard_num ORDER BY shard_num`,
    row: shard,
    params: { cluster },
  })
  if (shards.length === 0) throw new LayoutError(`The ClickHouse at CLICKHOUSE_URL has no cluster named ${cluster} (CLICKHOUSE_CLUSTER)`)
  const spread = spreadOf(shards.map(({ weight }) => weight))
  for (const { name, engine, comment } of found) {
    if (engine !== 'Distributed')
      throw new LayoutError(
        `CLICKHOUSE_CLUSTER is set, but the table ${name} exists only on this server: use another database in CLICKHOUSE_URL and copy the facts into it (docs/decisions/0031-clickhouse-cluster.md)`,
      )
    if (comment !== spread)
      throw new LayoutError(
        `The facts were distributed over different shards than cluster ${cluster} has ("${comment}" before, "${spread}" now): use another database in CLICKHOUSE_URL and copy the facts into it (docs/decisions/0031-clickhouse-cluster.md)`,
      )
  }
  return { types, spread }
}
