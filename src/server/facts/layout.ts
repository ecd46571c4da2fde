import type { ClickHouseSettings } from '@clickhouse/client'

/** A table of the facts, whatever it lies on. */
export type FactsTable = {
  name: string
  /** In parentheses. */
  columns: string
  engine: 'MergeTree' | 'ReplacingMergeTree(load)'
  /** What follows the engine: partitions, order, settings. */
  clauses: string
}

/**
 * Where the tables of the facts lie: on one server (or in the engine of this process), or spread over a cluster. Nothing
 * else knows the difference: questions and inserts name the same tables in both (docs/decisions/0031).
 */
export type FactsLayout = {
  readonly cluster: string | undefined
  /** The statements that make a table. @param comment what a table that is spread over servers notes of them */
  create(table: FactsTable, comment?: string): string[]
  /** The beginning of a statement that changes what is stored: of all rows of a table, wherever they lie. */
  alter(table: string): string
  /** Statements after which every server has the rows of a table that were acknowledged before. */
  settle(database: string, table: string): string[]
  /** A table as a deletion may look into it: where it has the rows that belong to the ones it deletes. */
  beside(table: string): string
  /** What a deletion ends with; it is done when it has been done everywhere. `looks`: it looks into another table. */
  deletion(looks?: 'looks'): string
  /** With every statement over the wire. */
  readonly settings: ClickHouseSettings
}

export const layoutOf = (cluster: string | undefined): FactsLayout => (cluster === undefined ? oneServer : acrossCluster(cluster))

export const oneServer: FactsLayout = {
  cluster: undefined,
  create: ({ name, columns, engine, clauses }) => [`CREATE TABLE IF NOT EXISTS ${name} ${columns} ENGINE = ${engine}${clauses}`],
  alter: (table) => `ALTER TABLE ${table}`,
  settle: () => [],
  beside: (table) => table,
  deletion: () => 'SETTINGS mutations_sync = 1',
  settings: {},
}

/** The rows themselves: `name` asks for those of all servers. */
const rowsOf = (name: string): string => `${name}_local`

/** What is known of a property lies on one shard, all of it, so that a shard can answer for its properties alone. */
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
    // Of all statements this one is carried to the servers without the database it was said in.
    settle: (database, table) => [`SYSTEM SYNC REPLICA ${everywhere} ${quoted(database)}.${rowsOf(table)}`],
    beside: rowsOf,
    deletion: (looks) => `SETTINGS mutations_sync = 2${looks ? ', allow_nondeterministic_mutations = 1' : ''}`,
    settings: clusterSettings,
  }
}

/** The servers say who they are with the macros `shard` and `replica`. */
function replicated(name: string, engine: FactsTable['engine']): string {
  const of = `'/clickhouse/tables/{shard}/{database}/${name}', '{replica}'`
  return engine === 'MergeTree' ? `ReplicatedMergeTree(${of})` : `ReplicatedReplacingMergeTree(${of}, load)`
}

const quoted = (name: string): string => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``

/** What answers and promises depend on; docs/decisions/0031 says why of each. */
const clusterSettings: ClickHouseSettings = {
  // A shard looks into its own rows only, which are all there are of its properties.
  distributed_product_mode: 'local',
  optimize_skip_unused_shards: 1,
  // Stored when acknowledged, on a majority of a shard's servers: on both, where there are two.
  distributed_foreground_insert: 1,
  parallel_distributed_insert_select: '0',
  insert_quorum: 'auto',
  insert_quorum_timeout: 20_000,
  // Everybody asks the same server of a shard as long as it answers.
  load_balancing: 'in_order',
  prefer_localhost_replica: 0,
  // An answer without the rows of a shard that is away would be a wrong one.
  skip_unavailable_shards: 0,
  // Short sorted lists of a shard lose a column with it (26.7).
  query_plan_optimize_lazy_materialization: 0,
  distributed_ddl_task_timeout: '600',
}
