import { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import { expect } from 'vitest'
import { factsTest as test, type TestFacts } from '../../../test/support/facts.ts'
import type { SearchType } from '../../contract/common.ts'
import { addDays } from '../../core/analytics/days.ts'
import type { FactRow } from './encode.ts'
import { exportColumns, type ExportRow, exportRows } from './export-rows.ts'
import { type Grain, grainDimensions, grains } from './schema.ts'

let properties = 0

const row = (date: string, keys: string[], clicks: number, impressions: number, position: number): FactRow => ({
  date,
  keys,
  clicks,
  impressions,
  position,
})

async function put(
  store: TestFacts,
  property: number,
  grain: Grain,
  rows: FactRow[],
  options: { type?: SearchType; publish?: boolean } = {},
) {
  const load = await store.facts.beginLoad(property, options.type ?? 'web')
  await load.write(grain, rows)
  if (options.publish !== false) await load.publish(new Map([[grain, new Set(rows.map(({ date }) => date))]]))
}

async function exported(store: TestFacts, grain: Grain, property: number): Promise<ExportRow[]> {
  const rows: ExportRow[] = []
  for await (const batch of store.facts.exportRows(grain, property)) rows.push(...batch)
  return rows
}

test("rows have their day, search type, dimensions and figures, each day's best first", async ({ store }) => {
  const property = ++properties
  await put(store, property, 'query_page', [
    row('2026-03-18', ['second', 'https://a.example/?b="c",d'], 3, 40, 7.25),
    row('2026-03-18', ['erste Größe\tmit\nallem \\N', '/a'], 5, 20, 1.5),
    row('2026-03-17', ['second', '/a'], 0, 3, 88),
  ])
  await put(store, property, 'query_page', [row('2026-03-01', ['bild', '/b'], 1, 4, 2)], { type: 'image' })
  expect(exportColumns('query_page')).toEqual([
    'date',
    'search type',
    'query',
    'page',
    'clicks',
    'impressions',
    'ctr',
    'position',
    'cut off',
  ])
  expect(await exported(store, 'query_page', property)).toEqual([
    ['2026-03-17', 'web', 'second', '/a', 0, 3, 0, 88, 'no'],
    ['2026-03-18', 'web', 'erste Größe\tmit\nallem \\N', '/a', 5, 20, 0.25, 1.5, 'no'],
    ['2026-03-18', 'web', 'second', 'https://a.example/?b="c",d', 3, 40, 0.075, 7.25, 'no'],
    ['2026-03-01', 'image', 'bild', '/b', 1, 4, 0.25, 2, 'no'],
  ])
})

test(
  'a day with more rows than are requested at once is complete and in the same order, even where rows are identical',
  { tags: ['full'] },
  async ({ store }) => {
    const property = ++properties
    const names = ['b', 'a', 'ä', "it's", 'a\tb', '語', '']
    const rows = Array.from({ length: 60 }, (_, at) => row('2026-03-18', [names[at % 7]!, `/${at % 3}`], at % 4, 10 + (at % 2), 2))
    await put(store, property, 'query_page', [
      ...rows,
      row('2026-03-17', ['first', '/'], 1, 10, 1),
      row('2026-03-19', ['last', '/'], 1, 10, 1),
    ])
    const all = await exported(store, 'query_page', property)
    expect(all).toHaveLength(62)
    for (const atOnce of [2, 7, 13, 60, 61]) {
      const parts: ExportRow[] = []
      for await (const batch of exportRows(store.client, 'query_page', property, undefined, atOnce)) parts.push(...batch)
      expect(parts).toEqual(all)
    }
  },
)

test('days of very long names are read in parts that fit in memory, and are whole', { tags: ['full'] }, async ({ store }) => {
  const property = ++properties
  const long = '語'.repeat(2_000)
  const rows = Array.from({ length: 1_000 }, (_, at) => row('2026-03-18', [`${long}${at}`, '/'], at % 4, 10, 2))
  await put(store, property, 'query_page', [row('2026-03-17', ['first', '/'], 1, 10, 1), ...rows])
  const sizes: number[] = []
  const measured: Pick<ClickHouseClient, 'exec' | 'query'> = {
    query: (params) => store.client.query(params),
    async exec(params) {
      const answer = await store.client.exec(params)
      const chunks = await Array.fromAsync<Buffer>(answer.stream)
      sizes.push(chunks.reduce((total, { length }) => total + length, 0))
      return { ...answer, stream: Readable.from(chunks) }
    },
  }
  const all: ExportRow[] = []
  for await (const batch of exportRows(measured, 'query_page', property)) all.push(...batch)
  expect(all.map((cells) => cells[2])).toEqual([
    'first',
    ...[3, 2, 1, 0].flatMap((clicks) => rows.flatMap((_, at) => (at % 4 === clicks ? [`${long}${at}`] : [])).toSorted()),
  ])
  expect(Math.max(...sizes)).toBeLessThan(5 * 1024 ** 2)
})

test(
  'a day that would otherwise be sorted again and again is read once and completely, even if its rows move in the meantime',
  { tags: ['full'] },
  async ({ store }) => {
    const [property, neighbour] = [++properties, ++properties]
    const batches = Array.from({ length: 5 }, (_, batch) =>
      Array.from({ length: 40_000 }, (_each, at) => row('2026-04-18', [`query ${batch} ${at}`, 'https://a.example/'], at % 9, 10, 2)),
    )
    const load = await store.facts.beginLoad(property, 'web')
    for (const batch of batches) {
      await put(store, neighbour, 'query_page', batch.slice(0, 20_000))
      await load.write('query_page', batch)
    }
    await load.publish(new Map([['query_page', ['2026-04-18']]]))

    let read = 0
    const counting: Pick<ClickHouseClient, 'exec' | 'query'> = {
      query: (params) => store.client.query(params),
      async exec(params) {
        const answer = await store.client.exec(params)
        read += Number(answer.summary?.read_rows)
        return answer
      },
    }
    const names = new Set<unknown>()
    let rows = 0
    let batch = 0
    for await (const some of exportRows(counting, 'query_page', property, undefined, 2_000)) {
      for (const cells of some) names.add(cells[2])
      rows += some.length
      batch += 1
      if (batch === 100) await store.facts.drop([neighbour])
      if (batch === 200) await store.client.command({ query: 'OPTIMIZE TABLE facts_query_page FINAL' })
    }
    expect([rows, names.size]).toEqual([200_000, 200_000])
    // Blocks of 8,192 rows are read whole, but not the day for each of a hundred statements.
    expect(read).toBeLessThan(10 * rows)

    const deleted = async () => {
      for await (const some of exportRows(store.client, 'query_page', property, undefined, 2_000))
        if (some.length > 0) await store.facts.drop([property])
    }
    await expect(deleted()).rejects.toThrow('were deleted while they were read')
  },
)

test('a row without impressions has no CTR, and one without a position has none', async ({ store }) => {
  const property = ++properties
  await put(store, property, 'total', [row('2026-03-18', [], 0, 0, 0)], { type: 'discover' })
  await put(store, property, 'total', [row('2026-03-19', [], 2, 10, 0)], { type: 'discover' })
  expect(await exported(store, 'total', property)).toEqual([
    ['2026-03-18', 'discover', 0, 0, null, null],
    ['2026-03-19', 'discover', 2, 10, 0.2, null],
  ])
})

test.for(grains)('grain %s: the current load of each day, and nothing of other properties', async (grain, { store }) => {
  const [property, neighbour] = [++properties, ++properties]
  const keys = grainDimensions[grain].map((name) => `a ${name}`)
  await put(store, property, grain, [row('2026-03-17', keys, 1, 10, 1), row('2026-03-18', keys, 2, 10, 1)])
  await put(store, property, grain, [row('2026-03-18', keys, 3, 10, 1)])
  await put(store, property, grain, [row('2026-03-17', keys, 9, 10, 1)], { publish: false })
  await put(store, neighbour, grain, [row('2026-03-17', keys, 7, 10, 1)])
  expect((await exported(store, grain, property)).map((cells) => cells[exportColumns(grain).indexOf('clicks')])).toEqual([1, 3])
})

test('a day that became empty is skipped, and a property without facts has no rows', async ({ store }) => {
  const property = ++properties
  await put(store, property, 'page', [row('2026-03-18', ['/a'], 1, 10, 1)])
  const load = await store.facts.beginLoad(property, 'web')
  await load.publish(new Map([['page', ['2026-03-18']]]))
  expect(await exported(store, 'page', property)).toEqual([])
  expect(await exported(store, 'page', ++properties)).toEqual([])
})

test('many rows arrive in small batches, complete and in order', { tags: ['full'] }, async ({ store }) => {
  const property = ++properties
  const dates = Array.from({ length: 40 }, (_, index) => addDays('2026-01-20', index))
  await put(
    store,
    property,
    'query',
    dates.flatMap((date) => Array.from({ length: 4_000 }, (_, index) => row(date, [`query ${index}`], index, 5_000, 3))),
  )
  let clicks = 0
  let rows = 0
  let last = ''
  for await (const batch of store.facts.exportRows('query', property)) {
    expect(batch.length).toBeLessThanOrEqual(2_000)
    for (const [date, , , cell] of batch) {
      expect(String(date) >= last).toBe(true)
      last = String(date)
      clicks += Number(cell)
      rows += 1
    }
  }
  expect({ rows, clicks, last }).toEqual({ rows: 160_000, clicks: (40 * (4_000 * 3_999)) / 2, last: dates.at(-1) })
})

test('a day replaced during the export is exported as it was, completely', { tags: ['full'] }, async ({ store }) => {
  const property = ++properties
  const rows = (date: string, clicks: number) => Array.from({ length: 40_000 }, (_, index) => row(date, [`query ${index}`], clicks, 10, 1))
  await put(store, property, 'query', [...rows('2026-03-17', 1), ...rows('2026-03-18', 2)])
  const seen = new Map<string, number>()
  let replaced = false
  for await (const batch of store.facts.exportRows('query', property)) {
    if (!replaced) await put(store, property, 'query', rows('2026-03-18', 9).slice(0, 10))
    replaced = true
    for (const [date, , , clicks] of batch) seen.set(`${date}: ${clicks}`, (seen.get(`${date}: ${clicks}`) ?? 0) + 1)
  }
  expect([...seen]).toEqual([
    ['2026-03-17: 1', 40_000],
    ['2026-03-18: 2', 40_000],
  ])
  expect(await exported(store, 'query', property)).toHaveLength(40_010)
})

test('stopping early reads nothing more', async ({ store }) => {
  const property = ++properties
  await put(store, property, 'page', [row('2026-03-18', ['/a'], 1, 10, 1)])
  for await (const batch of store.facts.exportRows('page', property)) {
    expect(batch).toHaveLength(1)
    break
  }
  expect(await exported(store, 'page', property)).toHaveLength(1)
})
