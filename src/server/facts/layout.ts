import type { ClickHouseSettings } from '@clickhouse/client'

/** A table of the facts, independent of the layout. */
export type FactsTable = {
  name: string
  /** In parentheses. */
  columns: string
  engine: 'MergeTree' | 'ReplacingMergeTree(load)'
  /** Clauses after the engine: partitions, order, settings. */
  clauses: string
}

/**
 * Where the facts tables are: on one server (or in this process's engine), or sharded over a cluster. Nothing else knows the difference:
 * questions and inserts name the same tables in both (docs/decisions/0031).
 */
export type FactsLayout = {
  readonly cluster: string | undefined
  /** The statements that create a table. @param comment the note on a sharded table */
  create(table: FactsTable, comment?: string): string[]
  /** The start of a statement that changes stored data: all rows of a table, wherever they are. */
  alter(table: string): string
  /** The statements that change a table's columns, wherever its rows are; the table that `name` reads comes last. */
  modify(table: string, change: string): string[]
  /** Statements after which every server has all of a table's previously acknowledged rows. */
  settle(database: string, table: string): string[]
  /** The name a deletion uses to read another table, with the rows next to those it deletes. */
  beside(table: string): string
  /** What a question reads to get the rows of a `system` table from every server. */
  everywhere(table: string): string
  /** The end of a deletion, making it return once it is done everywhere. `looks`: it reads another table. */
  deletion(looks?: 'looks'): string
  /** Sent with every statement over the network. */
  readonly settings: ClickHouseSettings
}

export const layoutOf = (cluster: string | undefined): FactsLayout => (cluster === undefined ? oneServer : acrossCluster(cluster))

export const oneServer: FactsLayout = {
  cluster: undefined,
  create: ({ name, columns, engine, clauses }) => [`CREATE TABLE IF NOT EXISTS ${name} ${columns} ENGINE = ${engine}${clauses}`],
  alter: (table) => `ALTER TABLE ${table}`,
  modify: (table, change) => [`ALTER TABLE ${table} ${change}`],
  settle: () => [],
  beside: (table) => table,
  everywhere: (table) => table,
  deletion: () => 'SETTINGS mutations_sync = 1',
  settings: {},
}

/** The table of one server's rows; `name` reads those of all servers. */
const rowsOf = (name: string): string => `${name}_local`

/** All of a property's data is on one shard, so that a shard can answer for its properties alone. */
const shardedBy = 'property'

function acrossCluster(cluster: string): FactsLayout {
  const everywhere = `ON CLUSTER ${quoted(cluster)}`
  return {
    cluster,
    create: ({ name, columns, engine, clauses }, comment = '') => [
      `CREATE TABLE IF NOT EXISTS ${rowsOf(name)} ${everywhere} ${columns} ENGINE = ${replicated(name, engine)}${clauses}`,
      `CREATE TABLE IF NOT EXISTS ${name} ${everywhere} ${columns}
  ENGINE = Distributed(${quoted(cluster)}, currentDatabase(), ${rowsOf(name)}, ${shardedBy}) COMMENT '${comment}'`,
    ],
    alter: (table) => `ALTER TABLE ${rowsOf(table)} ${everywhere}`,
    modify: (table, change) => [rowsOf(table), table].map((each) => `ALTER TABLE ${each} ${everywhere} ${change}`),
    // The only statement sent to the servers without its current database.
    settle: (database, table) => [`SYSTEM SYNC REPLICA ${everywhere} ${quoted(database)}.${rowsOf(table)}`],
    beside: rowsOf,
    everywhere: (table) => `clusterAllReplicas(${quoted(cluster)}, ${table})`,
    deletion: (looks) => `SETTINGS mutations_sync = 2${looks ? ', allow_nondeterministic_mutations = 1' : ''}`,
    settings: clusterSettings,
  }
}

/** Servers identify themselves with the macros `shard` and `replica`. */
function replicated(name: string, engine: FactsTable['engine']): string {
  const of = `'/clickhouse/tables/{shard}/{database}/${name}', '{replica}'`
  return engine === 'MergeTree' ? `ReplicatedMergeTree(${of})` : `ReplicatedReplacingMergeTree(${of}, load)`
}

const quoted = (name: string): string => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``

/** Correct answers and guarantees depend on these; docs/decisions/0031 explains each. */
const clusterSettings: ClickHouseSettings = {
  // A shard reads its own rows only, which are all there are for its properties.
  distributed_product_mode: 'local',
  optimize_skip_unused_shards: 1,
  // Acknowledged means stored on a majority of a shard's servers: on both if there are two.
  distributed_foreground_insert: 1,
  parallel_distributed_insert_select: '0',
  insert_quorum: 'auto',
  insert_quorum_timeout: 20_000,
  // Every process queries the same server of a shard as long as it responds.
  load_balancing: 'in_order',
  prefer_localhost_replica: 0,
  // An answer without an unavailable shard's rows would be wrong.
  skip_unavailable_shards: 0,
  // Otherwise short sorted lists from a shard lose a column (26.7).
  query_plan_optimize_lazy_materialization: 0,
  distributed_ddl_task_timeout: '600',
}
