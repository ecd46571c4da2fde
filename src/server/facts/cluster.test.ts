import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ClickHouseFront } from '../../../test/support/clickhouse-front.ts'
import { openFacts, type TestFacts } from '../../../test/support/facts.ts'
import { type ClusterFacts, clusterName, openClusterFacts, startCluster } from '../../../test/support/facts-cluster.ts'
import { pacificHour, pacificHours } from '../../core/analytics/pacific-hours.ts'
import { publishedCurve } from '../../core/analytics/ctr-curve.ts'
import { addDays } from '../../core/analytics/days.ts'
import { type DaysPick, entityDays } from './questions/entity-days.ts'
import { entityFigures, type Pick } from './questions/entity-figures.ts'
import { exportColumns, exportRows } from './export-rows.ts'
import { type HourFigures, hourTotals } from './questions/hours.ts'
import { layoutOf } from './layout.ts'
import type { FactRow } from './load.ts'
import { createFactsTables, type Grain, grainDimensions, grains, tableStatements } from './schema.ts'
import type { FactsStore } from './store.ts'
import { findWindow, windowGrains } from './questions/window.ts'
import type { WindowId } from './questions/window-columns.ts'
import { storedLoads } from './stored-loads.ts'
import { periodOpportunities } from './questions/period-opportunities.ts'
import { periodRows } from './questions/period-rows.ts'
import { brandDays, dailyFigures, positionBins } from './questions/daily-figures.ts'
import { pairShares, segmentFigures } from './questions/compared-figures.ts'
import { decayingPages } from './questions/decaying-pages.ts'
import { contestedQueries, windowQueries } from './questions/window-queries.ts'
import { windowPages } from './questions/window-pages.ts'
import { windowBrandSums, windowListed } from './questions/window-sums.ts'
import { dailyTotals } from './questions/daily-totals.ts'
import { lastDaysOf } from './questions/last-days.ts'
import { topRows } from '../../../test/support/top-rows.ts'
import { inFull } from '../../../test/support/in-full.ts'
import { newcomers } from './questions/newcomers.ts'
import { pairFigures } from './questions/pair-figures.ts'
import { storedDays } from './stored-days.ts'
import { settledProperties } from './sweep.ts'

const through = '2026-03-15'
const current = { start: addDays(through, -6), end: through }
const previous = { start: addDays(through, -13), end: addDays(through, -7) }
/** Two on each shard, with numbers that don't simply alternate. */
const properties = [11, 12, 14, 17] as const
const made = '2026-03-18'
const all = { limit: 1_000_000, offset: 0 }

let alone: TestFacts
let front: ClickHouseFront
/** Refuses questions it cannot send to the properties' shards alone. */
let asked: ClusterFacts
let cluster: ClusterFacts
let load = 0
const windows = new Map<string, WindowId>()

/** Deterministic by seed, on every machine. */
function figuresOf(seed: string): number {
  let hash = 2166136261
  for (const each of seed) hash = Math.imul(hash ^ each.charCodeAt(0), 16777619) >>> 0
  return hash
}

function rowsOf(property: number, grain: Grain, date: string, turn: number): FactRow[] {
  const dimensions = grainDimensions[grain]
  const count = dimensions.length === 0 ? 1 : dimensions.length === 1 ? 9 : 25
  return Array.from({ length: count }, (_, i) => {
    const figure = figuresOf(`${property} ${grain} ${date} ${i} ${turn}`)
    const keys =
      dimensions.length === 2 ? [`query ${i % 5}`, `https://site.example/${Math.floor(i / 5)}`] : dimensions.map((name) => `${name} ${i}`)
    return { date, keys, clicks: figure % 9, impressions: 10 + (figure % 90), position: grain === 'country' ? 0 : 1 + (figure % 300) / 10 }
  }).filter((_, i) => dimensions.length === 0 || figuresOf(`${property} ${date} ${i}`) % 4 !== 0)
}

async function fill(facts: FactsStore): Promise<void> {
  for (const property of properties) {
    for (const turn of [1, 2]) {
      // The newest week is stored twice, as by a sync; the last load only has its rows written.
      const days = Array.from({ length: turn === 1 ? 14 : 7 }, (_, i) => addDays(through, -i))
      const one = await facts.beginLoad(property, 'web')
      for (const grain of grains)
        await one.write(
          grain,
          days.flatMap((date) => rowsOf(property, grain, date, turn)),
        )
      await one.publish(new Map(grains.map((grain) => [grain, days])))
    }
    const lost = await facts.beginLoad(property, 'web')
    await lost.write('total', rowsOf(property, 'total', through, 3))
    await (
      await facts.beginHours(property)
    ).store(
      new Map([
        ['2025-01-30', hoursOf('2025-01-30')],
        [through, hoursOf(through)],
      ]),
    )
  }
}

const hoursOf = (date: string): HourFigures[] =>
  pacificHours(date).map((at, i) => ({
    at: at.toISOString(),
    date,
    hour: pacificHour(at),
    clicks: i,
    impressions: 30 + i,
    positionSum: 40,
  }))

beforeAll(async () => {
  ;[alone, front] = await Promise.all([openFacts(), startCluster()])
  const nextLoad = async () => ++load
  cluster = await openClusterFacts(front, {}, nextLoad)
  asked = await openClusterFacts(front, { force_optimize_skip_unused_shards: '2' }, nextLoad)
  await Promise.all([fill(alone.facts), fill(cluster.facts)])
  for (const property of [11, 12]) {
    for (const [name, facts] of [
      ['alone', alone.facts],
      ['cluster', asked.facts],
    ] as const) {
      const loads = await facts.ask(storedLoads, { property, grains: windowGrains, spans: [current, previous] })
      const source = { property, current, previous, loads }
      const window = await facts.makeWindow(source, { made, threads: 1 })
      expect(await facts.ask(findWindow, source, made)).toBe(window)
      windows.set(`${name} ${property}`, window)
    }
  }
})
afterAll(async () => {
  await Promise.all([cluster?.close(), asked?.close(), alone?.close()])
  await front?.close()
})

const sorted = (answer: unknown): unknown =>
  Array.isArray(answer) ? answer.map(sorted).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : answer

/** Asks both stores; answers with a defined order are compared in it. */
async function expectBoth(
  ask: (facts: FactsStore, window: (property: number) => WindowId) => Promise<unknown>,
  order: 'ordered' | 'unordered' = 'ordered',
) {
  const of = (name: string) => (property: number) => windows.get(`${name} ${property}`) ?? '0/0'
  const [here, there] = [await ask(alone.facts, of('alone')), await ask(asked.facts, of('cluster'))]
  expect(order === 'ordered' ? there : sorted(there)).toEqual(order === 'ordered' ? here : sorted(here))
  expect(JSON.stringify(here).length).toBeGreaterThan(20)
}

test("rows are stored only on their property's shard", async () => {
  const answer = await cluster.client.query({
    query:
      'SELECT shardNum() AS shard, arraySort(groupUniqArray(toUInt32(property))) AS properties FROM facts_query_page GROUP BY shard ORDER BY shard',
    format: 'JSONEachRow',
  })
  expect(await answer.json()).toEqual([
    { shard: 1, properties: [12, 14] },
    { shard: 2, properties: [11, 17] },
  ])
})

describe('a cluster gives the same answers as one server, and queries only the relevant shards', () => {
  const scope = (property: number) => ({ property, searchType: 'web', start: previous.start, end: through }) as const

  // One per shard.
  test.each([11, ...inFull([12])])("the screens' questions about property %i", async (property) => {
    await expectBoth((facts) => facts.ask(dailyTotals, scope(property)))
    await expectBoth((facts) => facts.ask(hourTotals, { property, from: '2025-01-01', to: through }))
    for (const grain of ['page', 'query', 'query_page'] as const) await expectBoth((facts) => facts.ask(topRows, grain, scope(property), 7))
    for (const about of [{}, { page: 'page 1' }, { query: 'query 2' }])
      await expectBoth((facts) => facts.ask(dailyFigures, { property, spans: [current], ...about }))
    await expectBoth((facts) => facts.ask(segmentFigures, { property, current, previous, dimension: 'device' }))
    await expectBoth((facts) => facts.ask(pairShares, { property, current, previous, of: { kind: 'query', name: 'query 2' }, limit: 5 }))
    await expectBoth(async (facts) => {
      const loads = await facts.ask(storedLoads, { property, grains: ['query', 'page', 'query_page'], spans: [current, previous] })
      const about = { property, current, previous, loads }
      return [
        await facts.ask(periodRows, { ...about, grain: 'page', limit: 4 }),
        (await facts.ask(periodRows, { ...about, grain: 'query', limit: 4 })).length,
        await facts.ask(periodOpportunities, { ...about, scoring: { curve: publishedCurve, days: 7 }, limit: 5 }),
        await facts.ask(
          decayingPages,
          { property, periods: [previous, current], loads: loads.filter(({ grain }) => grain === 'page') },
          all,
        ),
        await facts.ask(positionBins, {
          property,
          span: current,
          loads: loads.filter(({ grain }) => grain === 'query'),
          brandTerms: ['query3'],
          last: 20,
        }),
      ]
    }, 'unordered')
    for (const grain of ['total', 'query_page'] as const)
      await expectBoth(async (facts) => {
        const rows = [exportColumns(grain)]
        for await (const some of facts.exportRows(grain, property)) rows.push(...(some as string[][]))
        return rows
      })
  })

  test.each([11, ...inFull([12])])("the screens' questions about the window of property %i", async (property) => {
    const filter = { brand: 'all', brandTerms: ['query3'] } as const
    await expectBoth((facts, window) =>
      facts.ask(
        windowQueries,
        {
          window: window(property),
          ...filter,
          presence: 'current',
          sort: 'clicks',
          order: 'desc',
          scored: { curve: publishedCurve, days: 7, least: null },
        },
        all,
      ),
    )
    // The engine reads short ones differently.
    const search = { search: 'QUERY', sort: 'clicks', order: 'desc' } as const
    await expectBoth((facts, window) =>
      facts.ask(
        windowQueries,
        { window: window(property), ...filter, ...search, presence: 'current', scored: null },
        { limit: 3, offset: 0 },
      ),
    )
    await expectBoth((facts, window) =>
      facts.ask(windowPages, { window: window(property), sort: 'clicks', order: 'desc' }, { limit: 3, offset: 2 }),
    )
    await expectBoth((facts, window) =>
      facts.ask(contestedQueries, { window: window(property), ...filter, sort: 'atStake', order: 'desc' }, all),
    )
    await expectBoth((facts, window) => facts.ask(windowPages, { window: window(property), sort: 'clicks', order: 'desc' }, all))
    for (const grain of ['page', 'query'] as const) await expectBoth((facts, window) => facts.ask(windowListed, grain, window(property)))
    await expectBoth((facts, window) => facts.ask(windowBrandSums, window(property), filter.brandTerms), 'unordered')
    await expectBoth((facts, window) =>
      facts.ask(brandDays, { property, span: current, window: window(property), brandTerms: filter.brandTerms }),
    )
  })

  const picks: Pick[] = [
    { by: 'names' },
    { by: 'top', span: current, count: 3 },
    { by: 'ranked', span: current, position: 15, impressions: 100 },
  ]
  test.each(picks)("the alerts' questions about many properties: sums of entities by $by", async (pick) => {
    const named = properties.map((property) => ({ property, name: 'page 3' }))
    for (const grain of pick.by === 'names' ? (['total', 'page'] as const) : (['page'] as const))
      await expectBoth(
        (facts) => facts.ask(entityFigures, { grain, properties, windows: [current, previous], pick, named: [...named] }),
        'unordered',
      )
  })

  const dayPicks: DaysPick[] = [
    {
      by: 'names',
      named: [
        { property: 12, name: 'query 3' },
        { property: 17, name: 'query 4' },
      ],
    },
    { by: 'ever top', count: 2, days: 7 },
    { by: 'appeared', impressions: 20 },
    { by: 'shown', impressions: 95 },
  ]
  test.each(dayPicks)('days of entities by $by', { tags: ['full'] }, async (pick) => {
    const answer = async (facts: FactsStore) =>
      (await facts.ask(entityDays, { grain: 'query', properties, span: { start: previous.start, end: through }, pick })).map(
        ({ property, name, day, ...figures }) => ({
          property,
          name,
          days: day
            .map((each, i) => [each, figures.clicks[i], figures.impressions[i], figures.positionSum[i]])
            .toSorted(([a = 0], [b = 0]) => a - b),
        }),
      )
    await expectBoth(answer, 'unordered')
  })

  test('new entities, pairs and stored days', async () => {
    await expectBoth((facts) =>
      facts.ask(newcomers, {
        grain: 'page',
        properties,
        since: previous.start,
        through,
        impressions: 50,
        named: [{ property: 12, name: 'page 3' }],
      }),
    )
    await expectBoth((facts) =>
      facts.ask(pairFigures, { property: 14, of: { kind: 'page', name: 'https://site.example/1' }, windows: [current], limit: 3 }),
    )
    await expectBoth((facts) => facts.ask(storedDays, { grains: ['total', 'query'], properties, spans: [current] }), 'unordered')
    // The first property lacks the days before, so its first day has to be looked up.
    const ends = properties.map((property, at) => ({ property, end: addDays(through, at - 6) }))
    await expectBoth((facts) => facts.ask(lastDaysOf, ends, 5), 'unordered')
  })

  test('a question about hundreds of properties', { tags: ['full'] }, async () => {
    const many = [...properties, ...Array.from({ length: 900 }, (_, i) => 1_000_000_000_000 + i)]
    await expectBoth(
      (facts) => facts.ask(entityFigures, { grain: 'total', properties: many, windows: [current], pick: { by: 'names' }, named: [] }),
      'unordered',
    )
    await expectBoth(
      (facts) =>
        facts.ask(
          lastDaysOf,
          many.map((property, at) => ({ property, end: addDays(through, -(at % 3)) })),
          7,
        ),
      'unordered',
    )
  })
})

describe('changes to stored facts reach every shard', { tags: ['full'] }, () => {
  const counts = async ({ client }: { client: ClusterFacts['client'] }, table: string): Promise<unknown> =>
    (
      await client.query({
        query: `SELECT toUInt32(property) AS property, toUInt32(count()) AS rows FROM ${table} GROUP BY property ORDER BY property`,
        format: 'JSONEachRow',
      })
    ).json()
  const expectSame = async (tables: readonly string[]): Promise<void> => {
    for (const table of tables) expect([table, await counts(cluster, table)]).toEqual([table, await counts(alone, table)])
  }

  test('replaced and forgotten loads are swept', async () => {
    const dropped = await alone.facts.sweep(1_000)
    expect(dropped.rows).toBeGreaterThan(4 * 7 * 20)
    expect(await cluster.facts.sweep(1_000)).toEqual(dropped)
    await expectSame(['facts_total', 'facts_query_page', 'facts_hour', 'facts_current'])
    await expectBoth((facts) =>
      facts.ask(topRows, 'query_page', { property: 11, searchType: 'web', start: previous.start, end: through }, 30),
    )
  })

  test('old hours and old windows are deleted', async () => {
    for (const { facts } of [alone, cluster]) {
      await facts.forgetHours('2025-02-01')
      await facts.dropWindows(addDays(made, 1))
    }
    await expectSame(['facts_hour', 'facts_current'])
    expect(await counts(cluster, 'window_page')).toEqual([])
    expect(await counts(cluster, 'windows')).toEqual([])
  })

  test('properties are deleted on both shards', async () => {
    for (const { facts } of [alone, cluster]) expect(await facts.drop([12, 17])).toBeUndefined()
    await expectSame(['facts_current', 'facts_total', 'facts_query'])
    expect((await cluster.facts.ask(settledProperties, 1_000)).toSorted()).toEqual([11, 14])
  })

  test('the statements run on all servers and wait for them', async () => {
    const statements = (await front.seen()).map(({ text }) => text).filter((text) => /^(ALTER|SYSTEM|CREATE)/.test(text))
    expect(statements.filter((text) => !text.includes(' ON CLUSTER `two`'))).toEqual([])
    const deletions = statements.filter((text) => text.includes(' DELETE '))
    expect(deletions.length).toBeGreaterThan(15)
    expect(deletions.filter((text) => !/^ALTER TABLE \w+_local /.test(text) || !text.includes('mutations_sync = 2'))).toEqual([])
  })
})

test('a day too large to be sorted is exported whole', { tags: ['full'] }, async () => {
  const names = Array.from({ length: 150 }, (_, at) => `query ${at}`)
  const one = await cluster.facts.beginLoad(31, 'web')
  const row = { date: through, clicks: 1, impressions: 10, position: 1 }
  for (const from of [0, 70])
    await one.write(
      'query',
      names.slice(from, from === 0 ? 70 : 150).map((name) => ({ ...row, keys: [name] })),
    )
  await one.publish(new Map([['query', [through]]]))
  const read: unknown[] = []
  for await (const some of exportRows(asked.client, 'query', 31, undefined, 2)) read.push(...some.map((cells) => cells[2]))
  expect(read).toEqual(names)
})

test('tables created before Google News was added get it on all servers, those with rows first', async () => {
  const both = tableStatements(layoutOf(clusterName), 'Ranklark: shards of weight 1, 1').filter((sql) => / facts_hour(_local)? /.test(sql))
  expect(both).toHaveLength(2)
  for (const name of ['facts_hour', 'facts_hour_local']) await cluster.client.command({ query: `DROP TABLE ${name}` })
  for (const sql of both) await cluster.client.command({ query: sql.replace(", 'googleNews' = 6", '') })
  await front.seen()
  await createFactsTables(cluster.client, layoutOf(clusterName))
  const changes = (await front.seen()).flatMap(({ text }) => /^ALTER TABLE \w+ ON CLUSTER `two`/.exec(text) ?? [])
  expect(changes).toEqual(['facts_hour_local', 'facts_hour'].map((name) => `ALTER TABLE ${name} ON CLUSTER \`two\``))
  const types = await cluster.client.query({
    query: "SELECT DISTINCT type FROM system.columns WHERE database = currentDatabase() AND name = 'type' AND table LIKE 'facts_%'",
    format: 'JSONEachRow',
  })
  expect(await types.json()).toEqual([{ type: expect.stringContaining("'googleNews' = 6") }])
})

describe('startup detects', () => {
  const table = (sql: string) => cluster.client.command({ query: sql })
  afterEach(async () => {
    await table('DROP TABLE window_page')
    await createFactsTables(cluster.client, layoutOf(clusterName))
  })

  test("that the cluster's shards differ from those the facts were distributed over", { tags: ['full'] }, async () => {
    await table('DROP TABLE window_page')
    await table(
      "CREATE TABLE window_page AS window_page_local ENGINE = Distributed(two, default, window_page_local, property) COMMENT 'Ranklark: shards of weight 1'",
    )
    await expect(createFactsTables(cluster.client, layoutOf(clusterName))).rejects.toThrow(
      /distributed over different shards than cluster two has .*copy the facts/,
    )
  })

  test('that a table is on only one server', async () => {
    await table('DROP TABLE window_page')
    await table('CREATE TABLE window_page AS window_page_local')
    await expect(createFactsTables(cluster.client, layoutOf(clusterName))).rejects.toThrow(
      'the table window_page exists only on this server',
    )
  })

  test('that no cluster was configured', { tags: ['full'] }, async () => {
    await expect(createFactsTables(cluster.client)).rejects.toThrow(/is distributed across a cluster: set CLICKHOUSE_CLUSTER to its name/)
  })
})
