import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { SearchType } from '../../contract/common.ts'
import { type FactsLayout, type FactsTable, oneServer } from './layout.ts'
import { askWith } from './question.ts'
import { windowTableDefinitions } from './questions/window-schema.ts'

/**
 * The grains requested from Search Console. Each has its own figures: sums over a finer grain aren't the totals, as anonymized queries and
 * truncated rows are missing there, and a result counts in each of its search appearances.
 */
export const grains = ['total', 'page', 'query', 'query_page', 'device', 'country', 'search_appearance'] as const
export type Grain = (typeof grains)[number]

/** Each grain's dimensions besides the date, in the order of the table's columns. */
export const grainDimensions = {
  total: [],
  page: ['page'],
  query: ['query'],
  query_page: ['query', 'page'],
  device: ['device'],
  country: ['country'],
  search_appearance: ['search_appearance'],
} as const satisfies Record<Grain, readonly string[]>

/** What is stored for a day: its grains and the totals of its hours, which are separate figures (docs/decisions/0029). */
export const storedGrains = [...grains, 'hour'] as const
export type StoredGrain = (typeof storedGrains)[number]

export const tableOf = (grain: StoredGrain): string => `facts_${grain}`

/** Codes in the `type` column: never renumber them; `createFactsTables` teaches existing tables a new one at the end. */
export const searchTypeCode: Record<SearchType, number> = { web: 1, image: 2, video: 3, news: 4, discover: 5, googleNews: 6 }

const enumType = `Enum8(${Object.entries(searchTypeCode)
  .map(([name, code]) => `'${name}' = ${code}`)
  .join(', ')})`

const ofType = `type ${enumType}`

/**
 * A property has some thousand pages: a dictionary makes them small and grouping twice as fast. It has ten times as many queries, for which
 * plain strings group twice as fast (decision 0005).
 */
const columnTypes = {
  page: 'LowCardinality(String)',
  query: 'String',
  device: 'LowCardinality(String)',
  country: 'LowCardinality(String)',
  search_appearance: 'LowCardinality(String)',
} as const

/** Stores whole months together and, within them, a load's rows. */
const ofLoads = `PARTITION BY toYYYYMM(date) ORDER BY (property, type, date, load)
  SETTINGS index_granularity = 8192`

function factTable(grain: Grain): FactsTable {
  const dimensions = grainDimensions[grain].map((name) => `${name} ${columnTypes[name]}, `).join('')
  const columns = `(
    property UInt64, ${ofType}, date Date CODEC(DoubleDelta, LZ4), load UInt64 CODEC(DoubleDelta, LZ4),
    ${dimensions}clicks UInt32 CODEC(T64, LZ4), impressions UInt32 CODEC(T64, LZ4), position_sum Float64
  )`
  return { name: tableOf(grain), columns, engine: 'MergeTree', clauses: ` ${ofLoads}` }
}

/** Totals of a day's hours. `date` is the hour's Pacific day, `hour` the Pacific clock time when it begins. */
const hourTable: FactsTable = {
  name: tableOf('hour'),
  columns: `(
    property UInt64, ${ofType}, date Date CODEC(DoubleDelta, LZ4), load UInt64 CODEC(DoubleDelta, LZ4),
    at DateTime('UTC') CODEC(DoubleDelta, LZ4), hour UInt8,
    clicks UInt32 CODEC(T64, LZ4), impressions UInt32 CODEC(T64, LZ4), position_sum Float64
  )`,
  engine: 'MergeTree',
  clauses: ` ${ofLoads}`,
}

/**
 * Which load of a day to read. All batches of a load are written before its row here, and one insert switches all grains of a set of days,
 * so a reader sees whole days only.
 */
const currentTable: FactsTable = {
  name: 'facts_current',
  columns: `(
    property UInt64, ${ofType}, grain LowCardinality(String), date Date, load UInt64,
    rows UInt32, clicks UInt64, impressions UInt64
  )`,
  engine: 'ReplacingMergeTree(load)',
  clauses: ' ORDER BY (property, type, grain, date)',
}

const factsTables: readonly FactsTable[] = [...grains.map(factTable), hourTable, currentTable, ...windowTableDefinitions]

/** The statements that create the facts tables. */
export const tableStatements = (layout: FactsLayout, comment?: string): string[] =>
  factsTables.flatMap((table) => layout.create(table, comment))

/**
 * Creates missing facts tables, and teaches older ones search types that Google or we have added since. An enumeration that only grows
 * changes no stored row: ClickHouse just notes the new column type.
 * @throws LayoutError if the existing ones were made for other servers
 */
export async function createFactsTables(client: ClickHouseClient, layout: FactsLayout = oneServer): Promise<void> {
  const names = factsTables.map(({ name }) => name)
  const there = await lookAtTables(client, layout, names)
  // A cluster's servers create a table together, and one may be down while one of our processes starts.
  if (layout.cluster === undefined || !names.every((name) => there.types.has(name))) {
    for (const query of tableStatements(layout, there.spread)) await client.command({ query })
  }
  for (const [name, type] of there.types) {
    if (type === '' || type === enumType) continue
    for (const query of layout.modify(name, `MODIFY COLUMN ${ofType}`)) await client.command({ query })
  }
}

/** The existing tables don't fit the configured servers; the message is one line. */
class LayoutError extends Error {
  override name = 'LayoutError'
}

const shard = z.object({ weight: z.number() })
const tableThere = z.object({ name: z.string(), engine: z.string(), comment: z.string(), type: z.string() })

/** The note on a cluster's tables about how they are sharded: the shards' weights, in order. */
const spreadOf = (weights: readonly number[]): string => `Ranklark: shards of weight ${weights.join(', ')}`

/** The existing tables with the type of their search types (empty for tables without), and how to shard a new one. */
type TablesThere = { types: ReadonlyMap<string, string>; spread: string }

/**
 * Checks which tables exist, and that they belong to these servers. The number of shards decides which shard a property is on: with one
 * more, most rows would be looked for in the wrong place.
 * @throws LayoutError
 */
async function lookAtTables(client: ClickHouseClient, { cluster }: FactsLayout, names: readonly string[]): Promise<TablesThere> {
  const found = await askWith(client, {
    sql: `SELECT t.name AS name, t.engine AS engine, t.comment AS comment, c.type AS type
      FROM system.tables AS t
      LEFT JOIN (SELECT table, type FROM system.columns WHERE database = currentDatabase() AND name = 'type') AS c ON c.table = t.name
      WHERE t.database = currentDatabase() AND t.name IN {names:Array(String)}`,
    row: tableThere,
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
