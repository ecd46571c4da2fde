import type { ClickHouseClient } from '@clickhouse/client'
import type { SearchType } from '../../contract/common.ts'

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

export const tableOf = (grain: Grain): string => `facts_${grain}`

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

function factTable(grain: Grain): string {
  const dimensions = grainDimensions[grain].map((name) => `${name} ${columnTypes[name]}, `).join('')
  return `CREATE TABLE IF NOT EXISTS ${tableOf(grain)} (
    property UInt64, type ${enumType}, date Date CODEC(DoubleDelta, LZ4), load UInt64 CODEC(DoubleDelta, LZ4),
    ${dimensions}clicks UInt32 CODEC(T64, LZ4), impressions UInt32 CODEC(T64, LZ4), position_sum Float64
  ) ENGINE = MergeTree PARTITION BY toYYYYMM(date) ORDER BY (property, type, date, load)
  SETTINGS index_granularity = 8192`
}

/**
 * Which load of a day is the one to read. All batches of a load are written before its row here,
 * and all grains of a set of days are switched by one insert, so a reader sees whole days only.
 */
const currentTable = `CREATE TABLE IF NOT EXISTS facts_current (
    property UInt64, type ${enumType}, grain LowCardinality(String), date Date, load UInt64,
    rows UInt32, clicks UInt64, impressions UInt64
  ) ENGINE = ReplacingMergeTree(load) ORDER BY (property, type, grain, date)`

/** Makes the tables of the facts store where they are missing. */
export async function createFactsTables(client: ClickHouseClient): Promise<void> {
  for (const query of [...grains.map(factTable), currentTable]) await client.command({ query })
}
