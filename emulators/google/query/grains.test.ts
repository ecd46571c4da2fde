import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BENCH_ACCOUNT, BLOG, LARGE, LOCAL, openBench, SHOP, sum } from '../testing.ts'
import type { Bench, Row } from '../testing.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.google.close())

const FIRST = Date.UTC(2025, 2, 20)
const isoDate = (offset: number): string => new Date(FIRST + offset * 86_400_000).toISOString().slice(0, 10)

function positions(rows: readonly Row[]): number {
  return rows.reduce((total, row) => total + Math.round((row.position ?? 0) * row.impressions), 0)
}

test('every grain of every range adds up, however it is split', { tags: ['full'] }, async () => {
  await bench.control('PUT', 'quotas', { querySiteMinute: 100_000, queryUserMinute: 100_000 })
  const ranges = fc.record({
    site: fc.constantFrom(SHOP, BLOG, LOCAL),
    start: fc.integer({ min: 0, max: 470 }),
    length: fc.integer({ min: 0, max: 3 }),
    dataState: fc.constantFrom('final', 'all'),
  })
  await fc.assert(
    fc.asyncProperty(ranges, async ({ site, start, length, dataState }) => {
      const range = { startDate: isoDate(start), endDate: isoDate(start + length), dataState, rowLimit: 25_000 }
      const rows = async (...dimensions: string[]): Promise<Row[]> => (await bench.query(site, { ...range, dimensions })).body.rows ?? []
      const total = await rows()
      const page = await rows('page')
      for (const dimensions of [['date'], ['device'], ['country'], ['date', 'device'], ['country', 'device']]) {
        const cut = await rows(...dimensions)
        expect(sum(cut, 'clicks')).toBe(sum(total, 'clicks'))
        expect(sum(cut, 'impressions')).toBe(sum(total, 'impressions'))
        expect(positions(cut)).toBe(positions(total))
      }
      for (const dimensions of [
        ['date', 'page'],
        ['page', 'device', 'country'],
      ]) {
        const cut = await rows(...dimensions)
        expect(sum(cut, 'clicks')).toBe(sum(page, 'clicks'))
        expect(sum(cut, 'impressions')).toBe(sum(page, 'impressions'))
        expect(positions(cut)).toBe(positions(page))
      }
      const query = await rows('query')
      const pair = await rows('query', 'page')
      // Counted by page there are more impressions and the same clicks; named queries are a part of everything.
      expect(sum(page, 'clicks')).toBe(sum(total, 'clicks'))
      expect(sum(page, 'impressions')).toBeGreaterThanOrEqual(sum(total, 'impressions'))
      expect(sum(query, 'clicks')).toBeLessThanOrEqual(sum(total, 'clicks'))
      expect(sum(query, 'impressions')).toBeLessThan(sum(total, 'impressions') || 1)
      expect(sum(pair, 'clicks')).toBe(sum(query, 'clicks'))
      expect(sum(pair, 'impressions')).toBeGreaterThanOrEqual(sum(query, 'impressions'))
      expect(await rows('query', 'page')).toEqual(pair)
    }),
    { numRuns: 15 },
  )
})

test('the same request gets the same answer on another day and from another process', async () => {
  const other = await openBench({ today: '2026-09-01' })
  const ask = { dimensions: ['date', 'query', 'page'], rowLimit: 25_000 }
  expect((await other.query(SHOP, ask)).text).toBe((await bench.query(SHOP, ask)).text)
  await other.google.close()
})

async function rowsPerDay(site: string): Promise<number> {
  const { body } = await bench.query(site, { dimensions: ['date', 'query', 'page'], rowLimit: 25_000 })
  return (body.rows?.length ?? 0) / 7
}

test('the samples have about 1,500, 600 and 100 query and page rows a day', { tags: ['full'] }, async () => {
  expect(Math.abs((await rowsPerDay(SHOP)) - 1500)).toBeLessThan(250)
  expect(Math.abs((await rowsPerDay(BLOG)) - 600)).toBeLessThan(120)
  expect(Math.abs((await rowsPerDay(LOCAL)) - 100)).toBeLessThan(25)
})

test('at most 50,000 rows per day and type, those with the most clicks', { tags: ['full'] }, async () => {
  const token = await bench.tokenOf(BENCH_ACCOUNT)
  const ask = { startDate: '2026-07-01', endDate: '2026-07-02', dimensions: ['date', 'query', 'page'], rowLimit: 25_000 }
  const pages: Row[][] = []
  for (let startRow = 0; startRow <= 100_000; startRow += 25_000) {
    pages.push((await bench.query(LARGE, { ...ask, startRow }, token)).body.rows ?? [])
  }
  expect(pages.map((page) => page.length)).toEqual([25_000, 25_000, 25_000, 25_000, 0])
  expect(new Set(pages.flat().map((row) => row.keys?.join('\t'))).size).toBe(100_000)
  expect(pages[2]?.[0]?.keys?.[0]).toBe('2026-07-02')
})
