import { expect } from 'vitest'
import { factsTest } from '../../../test/support/facts.ts'
import { addDays, daysBetween, eachDay } from '../../core/analytics/days.ts'
import { type Grain, grainDimensions, grains } from '../facts/schema.ts'
import { type BackfillLoad, type BackfillLoads, createBackfillLoads } from './backfill-load.ts'
import { type Chunk, type Coverage, nextBackfill } from './sync-plan.ts'

const today = '2026-11-22'
const hourMs = 3_600_000
let property = 0
let now = 0

const test = factsTest.extend('backfills', { scope: 'file' }, ({ facts }) => createBackfillLoads(facts, () => now))

/** Writes what an answer would bring: the given number of rows for each of these days. */
async function answer({ load }: BackfillLoad, grain: Grain, { from, to }: Chunk, rows: number): Promise<void> {
  const keys = Array.from({ length: rows }, (_, row) => grainDimensions[grain].map(() => `k${row}`))
  const ofDay = (date: string) => keys.map((each) => ({ date, keys: each, clicks: 1, impressions: 2, position: 1 }))
  await load.write(grain, eachDay(from, to).flatMap(ofDay))
}

/** Runs a whole backfill and returns the spans it asked for. */
async function backfill(backfills: BackfillLoads, days: number, rowsADay: Partial<Record<Grain, number>>): Promise<Record<Grain, Chunk[]>> {
  property += 1
  const asked = Object.fromEntries(grains.map((grain) => [grain, []])) as unknown as Record<Grain, Chunk[]>
  const coverage: Coverage = { backfillTo: addDays(today, 1 - days), backfilledFrom: null, finalThrough: null, fetchedThrough: null }
  for (let chunk = nextBackfill(coverage, today); chunk; chunk = nextBackfill(coverage, today)) {
    const taken = await backfills.take(property, 'web', { chunk, backfillTo: coverage.backfillTo })
    for (const grain of grains) {
      for (const span of taken.nextSpans(grain, chunk)) {
        asked[grain].push(span)
        // Query×page is always asked for day by day.
        if (grain !== 'query_page') await answer(taken, grain, span, rowsADay[grain] ?? 1)
      }
    }
    await taken.load.publish(new Map(grains.map((grain) => [grain, eachDay(chunk.from, chunk.to)])))
    backfills.giveBack(taken, chunk)
    coverage.backfilledFrom = chunk.from
  }
  return asked
}

const daysOf = (spans: readonly Chunk[]) => spans.flatMap(({ from, to }) => eachDay(from, to)).toSorted()
const longest = (spans: readonly Chunk[]) => Math.max(...spans.map(({ from, to }) => daysBetween(from, to)))

test(
  '489 days of a small property take 535 calls, and every grain is requested once per day',
  { tags: ['full'] },
  async ({ backfills }) => {
    const asked = await backfill(backfills, 489, { country: 8, page: 12, query: 40 })
    for (const grain of grains) expect([grain, ...daysOf(asked[grain])]).toEqual([grain, ...eachDay(addDays(today, -488), today)])
    // The first week alone, which shows how many rows a day has; then ahead.
    expect(Object.fromEntries(grains.map((grain) => [grain, asked[grain].length]))).toEqual({
      total: 2,
      device: 2,
      country: 2,
      // Each with one more for every appearance there is.
      search_appearance: 2,
      page: 19,
      query: 19,
      query_page: 489,
    })
  },
)

test("nothing is prefetched that wouldn't fit into one response", async ({ backfills }) => {
  const asked = await backfill(backfills, 40, { page: 1_500, query: 4_000 })
  for (const grain of ['page', 'query'] as const) expect(daysOf(asked[grain])).toEqual(eachDay(addDays(today, -39), today))
  expect(longest(asked.page)).toBe(13)
  expect(longest(asked.query.slice(1))).toBe(5)
})

test('days published by somebody else meanwhile, an earlier day, and a load from an hour ago need another load', async ({
  facts,
  backfills,
}) => {
  property += 1
  const chunk = (back: number): Chunk => ({ from: addDays(today, -back - 6), to: addDays(today, -back) })
  const take = (back: number) => backfills.take(property, 'web', { chunk: chunk(back), backfillTo: addDays(today, -99) })
  const first = await take(0)
  backfills.giveBack(first, chunk(0))
  const second = await take(7)
  expect(second).toBe(first)
  // It was not given back, so it may have failed midway.
  expect(await take(14)).not.toBe(first)

  backfills.giveBack(first, chunk(7))
  const imported = await facts.beginLoad(property, 'web')
  await imported.write('query', [{ date: addDays(today, -15), keys: ['q'], clicks: 1, impressions: 1, position: 1 }])
  await imported.publish(new Map([['query', [addDays(today, -15)]]]))
  const newer = await take(14)
  expect(newer.load.target.load).toBeGreaterThan(imported.target.load)

  backfills.giveBack(newer, chunk(14))
  // The same days again: their rows would count twice.
  expect(await take(14)).not.toBe(newer)
  backfills.giveBack(newer, chunk(14))
  now += hourMs
  // After half a day the sweep would delete its rows.
  expect(await take(21)).not.toBe(newer)
})
