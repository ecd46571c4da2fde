import type { ClickHouseClient } from '@clickhouse/client'
import type { SearchType } from '../../contract/common.ts'
import { type FactsLayout, type FactsTable, oneServer } from './layout.ts'
import { lookAtTables } from './layout-check.ts'
import { windowTableDefinitions } from './questions/window-schema.ts'

/**
 * The grains at which Search Console is asked. Each has figures of its own: sums over a finer
 * grain are not the totals, because anonymised queries and cut-off lists are missing there.
 */
export const grains = ['total', 'page', 'query', 'query_page', 'device', 'country'] as const
export type Grain = (typeof grains)[number]

/** The dimensions beside the date that make up each grain, in the order of the table's columns. */
export const grainDimensions = {
  total: [],
  page: ['page'],
  query: ['query'],
  query_page: ['query', 'page'],
  device: ['device'],
  country: ['country'],
} as const satisfies Record<Grain, readonly string[]>

/** What days are stored of: beside the grains of the day the totals of its hours, which are figures of their own (docs/decisions/0029). */
export const storedGrains = [...grains, 'hour'] as const
export type StoredGrain = (typeof storedGrains)[number]

export const tableOf = (grain: StoredGrain): string => `facts_${grain}`

/** Codes stored in the `type` column; never renumber one. */
export const searchTypeCode: Record<SearchType, number> = { web: 1, image: 2, video: 3, news: 4, discover: 5 }

const enumType = `Enum8(${Object.entries(searchTypeCode)
  .map(([name, code]) => `'${name}' = ${code}`)
  .join(', ')})`

/**
 * A property has some thousand pages: a dictionary makes them small and grouping by them twice as
 * fast. Of queries it has ten times as many, for which plain strings group twice as fast (decision 0005).
 */
const columnTypes = {
  page: 'LowCardinality(String)',
  query: 'String',
  device: 'LowCardinality(String)',
  country: 'LowCardinality(String)',
} as const

/** Rows of whole months lie together, and there those of one load. */
const ofLoads = `PARTITION BY toYYYYMM(date) ORDER BY (property, type, date, load)
  SETTINGS index_granularity = 8192`

function factTable(grain: Grain): FactsTable {
  const dimensions = grainDimensions[grain].map((name) => `${name} ${columnTypes[name]}, `).join('')
  const columns = `(
    property UInt64, type ${enumType}, date Date CODEC(DoubleDelta, LZ4), load UInt64 CODEC(DoubleDelta, LZ4),
    ${dimensions}clicks UInt32 CODEC(T64, LZ4), impressions UInt32 CODEC(T64, LZ4), position_sum Float64
  )`
  return { name: tableOf(grain), columns, engine: 'MergeTree', clauses: ` ${ofLoads}` }
}

/** Totals of the hours of a day. `date` is the Pacific day that the hour belongs to, `hour` what the clock there shows when it begins. */
const hourTable: FactsTable = {
  name: tableOf('hour'),
  columns: `(
    property UInt64, type ${enumType}, date Date CODEC(DoubleDelta, LZ4), load UInt64 CODEC(DoubleDelta, LZ4),
    at DateTime('UTC') CODEC(DoubleDelta, LZ4), hour UInt8,
    clicks UInt32 CODEC(T64, LZ4), impressions UInt32 CODEC(T64, LZ4), position_sum Float64
  )`,
  engine: 'MergeTree',
  clauses: ` ${ofLoads}`,
}

/**
 * Which load of a day is the one to read. All batches of a load are written before its row here,
 * and all grains of a set of days are switched by one insert, so a reader sees whole days only.
 */
const currentTable: FactsTable = {
  name: 'facts_current',
  columns: `(
    property UInt64, type ${enumType}, grain LowCardinality(String), date Date, load UInt64,
    rows UInt32, clicks UInt64, impressions UInt64
  )`,
  engine: 'ReplacingMergeTree(load)',
  clauses: ' ORDER BY (property, type, grain, date)',
}

const factsTables: readonly FactsTable[] = [...grains.map(factTable), hourTable, currentTable, ...windowTableDefinitions]

/** The statements that make the tables of the facts store. */
export const tableStatements = (layout: FactsLayout, comment?: string): string[] =>
  factsTables.flatMap((table) => layout.create(table, comment))

/**
 * Makes the tables of the facts store where they are missing.
 * @throws LayoutError when those that are there were made for other servers than these
 */
export async function createFactsTables(client: ClickHouseClient, layout: FactsLayout = oneServer): Promise<void> {
  const names = factsTables.map(({ name }) => name)
  const there = await lookAtTables(client, layout, names)
  // The servers of a cluster make a table all together, and one of them may be away while a process of ours starts.
  if (layout.cluster !== undefined && names.every((name) => there.names.has(name))) return
  for (const query of tableStatements(layout, there.spread)) await client.command({ query })
}
