import { expect, test as plain } from 'vitest'
import { startClickHouseFront } from '../../../test/support/clickhouse-front.ts'
import { openFacts } from '../../../test/support/facts.ts'
import { silentLog } from '../../../test/support/platform.ts'
import type { SearchType } from '../../contract/common.ts'
import { openClickHouse } from '../platform/clickhouse/clickhouse.ts'
import { layoutOf, oneServer } from './layout.ts'
import { createFactsTables, tableStatements } from './schema.ts'

const test = plain
  .extend('front', { scope: 'file' }, async ({}, { onCleanup }) => {
    const front = await startClickHouseFront()
    onCleanup(() => front.close())
    return front
  })
  .extend('client', { scope: 'file' }, async ({ front }, { onCleanup }) => {
    const { client, close } = await openClickHouse({ clickhouseUrl: front.url, dataDir: '', memoryBytes: 0, log: silentLog })
    onCleanup(close)
    return client
  })
  /** A statement as the engine parses it, whether or not it can run it. */
  .extend('treeOf', { scope: 'file' }, ({ client }) => async (sql: string): Promise<string> => {
    const answer = await client.query({ query: `EXPLAIN AST ${sql}`, format: 'TabSeparated' })
    return answer.text()
  })

const oneLine = (sql: string): string => sql.replaceAll(/\s+/g, ' ')
const type = "type Enum8('web' = 1, 'image' = 2, 'video' = 3, 'news' = 4, 'discover' = 5, 'googleNews' = 6)"
const key = `property UInt64, ${type}, date Date CODEC(DoubleDelta, LZ4), load UInt64 CODEC(DoubleDelta, LZ4),`
const figures = 'clicks UInt32 CODEC(T64, LZ4), impressions UInt32 CODEC(T64, LZ4), position_sum Float64'
const rest = 'ENGINE = MergeTree PARTITION BY toYYYYMM(date) ORDER BY (property, type, date, load) SETTINGS index_granularity = 8192'
const withoutGoogleNews = (sql: string): string => sql.replace(", 'googleNews' = 6", '')
const sums = (prefix: string) =>
  `${prefix}clicks UInt64, ${prefix}impressions UInt64, ${prefix}position_sum Float64, ${prefix}ranked UInt64`

test('without a cluster, the tables are created as before, so existing stores keep working', () => {
  expect(tableStatements(oneServer).map(oneLine)).toEqual([
    `CREATE TABLE IF NOT EXISTS facts_total ( ${key} ${figures} ) ${rest}`,
    `CREATE TABLE IF NOT EXISTS facts_page ( ${key} page LowCardinality(String), ${figures} ) ${rest}`,
    `CREATE TABLE IF NOT EXISTS facts_query ( ${key} query String, ${figures} ) ${rest}`,
    `CREATE TABLE IF NOT EXISTS facts_query_page ( ${key} query String, page LowCardinality(String), ${figures} ) ${rest}`,
    `CREATE TABLE IF NOT EXISTS facts_device ( ${key} device LowCardinality(String), ${figures} ) ${rest}`,
    `CREATE TABLE IF NOT EXISTS facts_country ( ${key} country LowCardinality(String), ${figures} ) ${rest}`,
    `CREATE TABLE IF NOT EXISTS facts_search_appearance ( ${key} search_appearance LowCardinality(String), ${figures} ) ${rest}`,
    `CREATE TABLE IF NOT EXISTS facts_hour ( ${key} at DateTime('UTC') CODEC(DoubleDelta, LZ4), hour UInt8, ${figures} ) ${rest}`,
    `CREATE TABLE IF NOT EXISTS facts_current ( property UInt64, ${type}, grain LowCardinality(String), date Date, load UInt64, rows UInt32, clicks UInt64, impressions UInt64 ) ENGINE = ReplacingMergeTree(load) ORDER BY (property, type, grain, date)`,
    'CREATE TABLE IF NOT EXISTS windows (made Date, property UInt64, window UInt64, fingerprint String) ENGINE = MergeTree PARTITION BY made ORDER BY (property, fingerprint)',
    `CREATE TABLE IF NOT EXISTS window_query (made Date, property UInt64, window UInt64, query String, page String, pages UInt32, ${sums('')}, ${sums('before_')}, contested UInt64, rivals Array(Tuple(page String, clicks UInt64, impressions UInt64, position_sum Float64, ranked UInt64)), pages_impressions UInt64) ENGINE = MergeTree PARTITION BY made ORDER BY window`,
    `CREATE TABLE IF NOT EXISTS window_page (made Date, property UInt64, window UInt64, page String, ${sums('')}, ${sums('before_')}) ENGINE = MergeTree PARTITION BY made ORDER BY window`,
  ])
  expect(oneServer.settings).toEqual({})
  expect(`${oneServer.alter('facts_page')} DELETE WHERE 1 ${oneServer.deletion('looks')}`).toBe(
    'ALTER TABLE facts_page DELETE WHERE 1 SETTINGS mutations_sync = 1',
  )
})

test('with a cluster, each table is a replicated table on every server and a distributed one sharded by property', async ({ treeOf }) => {
  const layout = layoutOf('main-cluster')
  const statements = tableStatements(layout, 'Ranklark: shards of weight 1, 1')
  expect(statements).toHaveLength(2 * tableStatements(oneServer).length)
  for (const [i, alone] of tableStatements(oneServer).entries()) {
    const [rows = '', all = ''] = statements.slice(2 * i)
    const name = /EXISTS (\w+)/.exec(alone)?.[1] ?? ''
    expect(oneLine(rows)).toBe(
      oneLine(alone)
        .replace(` ${name} `, ` ${name}_local ON CLUSTER \`main-cluster\` `)
        .replace(
          /ENGINE = (\w*)MergeTree(\(load\))?/,
          (_, kind: string, version?: string) =>
            `ENGINE = Replicated${kind}MergeTree('/clickhouse/tables/{shard}/{database}/${name}', '{replica}'${version ? ', load' : ''})`,
        ),
    )
    expect(all).toContain(`CREATE TABLE IF NOT EXISTS ${name} ON CLUSTER \`main-cluster\` (`)
    expect(all).toContain(`ENGINE = Distributed(\`main-cluster\`, currentDatabase(), ${name}_local, property)`)
    // Checked by the engine that would receive them.
    for (const sql of [rows, all]) {
      const read = await treeOf(sql)
      expect(read).toMatch(/^CreateQuery (facts_|window)/)
      expect(read).toMatch(/Function (Replicated(Replacing)?MergeTree|Distributed)/)
    }
  }
})

test.for([
  [
    `${layoutOf('c').alter('facts_page')} DELETE IN PARTITION ID '202601' WHERE load NOT IN (SELECT load FROM facts_current_local) ${layoutOf('c').deletion('looks')}`,
    /^AlterQuery/,
  ],
  [`${layoutOf('c').alter('facts_page')} DROP PARTITION '2026-01-01'`, /^AlterQuery/],
  ...layoutOf('c')
    .modify('facts_page', "MODIFY COLUMN type Enum8('web' = 1)")
    .map((sql) => [sql, /^AlterQuery/] satisfies [string, RegExp]),
  [layoutOf('c').settle('some database', 'facts_current')[0] ?? '', /^SYSTEM query/],
] satisfies [string, RegExp][])('the engine reads %s', async ([sql, form], { treeOf }) => {
  expect(await treeOf(sql)).toMatch(form)
})

test('tables created before Google News was added get it at startup: no row is lost, and none is rewritten', async ({ onTestFinished }) => {
  const { client, facts, close } = await openFacts(async (empty) => {
    for (const sql of tableStatements(oneServer)) await empty.command({ query: withoutGoogleNews(sql) })
  })
  onTestFinished(close)
  const ask = async (sql: string): Promise<unknown[]> => (await client.query({ query: sql, format: 'JSONEachRow' })).json()
  const keep = async (searchType: SearchType, days: readonly string[]) => {
    const load = await facts.beginLoad(7, searchType)
    await load.write(
      'page',
      days.map((date) => ({ date, keys: ['https://x.example/'], clicks: 3, impressions: 9, position: 0 })),
    )
    await load.publish(new Map([['page', days]]))
  }
  const rows = 'SELECT * FROM facts_page ORDER BY ALL'
  const parts = `SELECT table, name, rows, hash_of_all_files FROM system.parts WHERE active AND table LIKE 'facts_%' ORDER BY table, name`
  await keep('web', ['2025-12-31', '2026-01-01'])
  await keep('discover', ['2026-01-01'])
  await expect(keep('googleNews', ['2026-01-01'])).rejects.toThrow('googleNews')
  const [stored, onDisk] = [await ask(rows), await ask(parts)]
  expect([stored.length, onDisk.length]).toEqual([3, 5])

  await createFactsTables(client)
  expect(await ask(rows)).toEqual(stored)
  expect(await ask(parts)).toEqual(onDisk)
  expect(await ask('SELECT * FROM system.mutations')).toEqual([])
  await keep('googleNews', ['2026-01-01'])
  expect(await ask("SELECT property, clicks FROM facts_page WHERE type = 'googleNews'")).toMatchObject([{ clicks: 3 }])
  expect(await ask("SELECT clicks FROM facts_current WHERE type = 'googleNews'")).toHaveLength(1)
})

test("tables of one server aren't mistaken for those of a cluster", async ({ client }) => {
  await createFactsTables(client)
  await createFactsTables(client)
  await expect(createFactsTables(client, layoutOf('nowhere'))).rejects.toThrow(
    'The ClickHouse at CLICKHOUSE_URL has no cluster named nowhere (CLICKHOUSE_CLUSTER)',
  )
})
