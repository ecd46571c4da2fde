import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { factsTest as test } from '../../../test/support/facts.ts'
import { eachDay } from '../../core/analytics/days.ts'
import { TooMuchAtOnce } from '../platform/clickhouse/clickhouse-errors.ts'
import type { FactRow, Load } from './load.ts'
import { askWith } from './question.ts'
import { createFactsTables, grainDimensions, grains, searchTypeCode } from './schema.ts'
import type { FactsStore } from './store.ts'
import { dailyTotals } from './questions/daily-totals.ts'
import { exploredList, exploredRows } from './questions/explored.ts'
import { storedLoads } from './stored-loads.ts'
import { topRows } from '../../../test/support/top-rows.ts'

let properties = 0

const day = '2026-03-17'
const on = (property: number, start = day, end = day) => ({ property, searchType: 'web', start, end }) as const
const total = (clicks: number, date = day): FactRow => ({ date, keys: [], clicks, impressions: clicks * 10, position: 2 })
const clicksOf = async (facts: FactsStore, property: number, start?: string, end?: string) =>
  (await facts.ask(dailyTotals, on(property, start, end))).map((row) => row.clicks)

async function store(load: Load, rows: FactRow[], days: string[] = [day]): Promise<void> {
  await load.write('total', rows)
  await load.publish(new Map([['total', days]]))
}

describe('text', () => {
  test('of any kind is returned unchanged', async ({ facts }) => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ unit: 'grapheme-composite', maxLength: 40 }),
      fc.string({
        unit: fc.constantFrom('\\', '\t', '\n', '\r', '\0', '\b', '\f', 'N', 'n', 't', '0', "'", '"', ' ', '{', '}'),
        maxLength: 12,
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(text, { minLength: 1, maxLength: 100 }), async (texts) => {
        const property = ++properties
        const load = await facts.beginLoad(property, 'web')
        await load.write(
          'query_page',
          texts.map((each) => ({ date: day, keys: [each, `${each}/p`], clicks: 1, impressions: 2, position: 1 })),
        )
        await load.publish(new Map([['query_page', [day]]]))
        const stored = await facts.ask(topRows<'query_page'>, 'query_page', on(property), 1000)
        expect(stored.map((row) => row.query).toSorted()).toEqual(texts.map((each) => each.toWellFormed()).toSorted())
        for (const row of stored) expect(row.page).toBe(`${row.query}/p`)
      }),
      { numRuns: 25 },
    )
  })
})

test('twenty years of days can be written at once, though each month is a partition', { tags: ['full'] }, async ({ facts }) => {
  const property = ++properties
  const days = [...eachDay('2005-01-01', '2024-12-31')]
  await store(
    await facts.beginLoad(property, 'web'),
    days.map((date) => total(1, date)),
    days,
  )
  expect((await clicksOf(facts, property, '2005-01-01', '2024-12-31')).length).toBe(days.length)
})

// Not a year in the middle.
const manyDays = [...eachDay('1998-06-01', '2004-12-31'), ...eachDay('2006-01-01', day)]
const compared = {
  searchType: 'web',
  grain: 'query',
  current: { start: '2013-01-01', end: day },
  previous: { start: '1998-06-01', end: '2012-12-31' },
  where: [],
  brandTerms: [],
} as const
test.for<[string, (index: number) => number]>([
  ['all from one import', () => 1],
  ['each from an import of its own', (index) => 1_000_000_000 + index],
])('ten thousand days can be asked about at once: %s', { tags: ['full'] }, async ([, loadOf], { facts, client }) => {
  const property = 1_000_000 + ++properties
  const columns = (date: string, index: number) => ({ property, type: 'web', date, load: loadOf(index) })
  const fact = (date: string, index: number) => ({ ...columns(date, index), clicks: 1, impressions: 2, position_sum: 2 })
  const insert = (table: string, values: object[]) =>
    client.insert({ table, values, format: 'JSONEachRow', clickhouse_settings: { max_partitions_per_insert_block: '0' } })
  const replaced = (each: { load: number }) => ({ ...each, load: each.load + 5_000_000_000, clicks: 100 })
  await insert('facts_total', [...manyDays.map(fact), ...manyDays.map(fact).map(replaced)])
  await insert(
    'facts_query',
    manyDays.map((date, index) => ({ ...fact(date, index), query: 'a' })),
  )
  const current = (grain: string) => manyDays.map((date, index) => ({ ...columns(date, index), grain, rows: 1, clicks: 1, impressions: 2 }))
  await insert('facts_current', [...current('total'), ...current('query')])
  const [first = day] = manyDays
  expect(await clicksOf(facts, property, first, day)).toEqual(manyDays.map(() => 1))
  const loads = await facts.ask(storedLoads, { property, grains: ['query'], spans: [{ start: first, end: day }] })
  const { totals } = await facts.ask(exploredList, { ...compared, property, loads, by: 'query', sort: 'clicks', order: 'desc' }, 10)
  const before = manyDays.filter((date) => date <= compared.previous.end).length
  expect([totals.current.clicks, totals.before.clicks]).toEqual([manyDays.length - before, before])
})

describe('replacing a day', () => {
  test('shows the old day until the new one is published, then only the new one', async ({ facts }) => {
    const property = ++properties
    await store(await facts.beginLoad(property, 'web'), [total(10)])
    const next = await facts.beginLoad(property, 'web')
    await next.write('total', [total(7)])
    expect(await clicksOf(facts, property)).toEqual([10])
    await next.publish(new Map([['total', [day]]]))
    expect(await clicksOf(facts, property)).toEqual([7])
  })

  test('an unpublished load is never seen, and a later one takes its place', async ({ facts }) => {
    const property = ++properties
    const lost = await facts.beginLoad(property, 'web')
    await lost.write('total', [total(99)])
    expect(await clicksOf(facts, property)).toEqual([])
    await store(await facts.beginLoad(property, 'web'), [total(5)])
    expect(await clicksOf(facts, property)).toEqual([5])
  })

  test('with a day without rows makes it empty', async ({ facts }) => {
    const property = ++properties
    await store(await facts.beginLoad(property, 'web'), [total(10), total(20, '2026-03-18')], [day, '2026-03-18'])
    await store(await facts.beginLoad(property, 'web'), [], [day])
    expect(await clicksOf(facts, property, day, '2026-03-18')).toEqual([20])
  })

  test('leaves other days, properties, grains and search types unchanged', async ({ facts }) => {
    const [property, neighbour] = [++properties, ++properties]
    await store(await facts.beginLoad(property, 'web'), [total(1), total(2, '2026-03-18')], [day, '2026-03-18'])
    await store(await facts.beginLoad(property, 'image'), [total(3)])
    await store(await facts.beginLoad(neighbour, 'web'), [total(4)])
    await store(await facts.beginLoad(property, 'web'), [total(100)])
    expect(await clicksOf(facts, property, day, '2026-03-18')).toEqual([100, 2])
    expect(await clicksOf(facts, neighbour)).toEqual([4])
    expect((await facts.ask(dailyTotals, { ...on(property), searchType: 'image' })).map((row) => row.clicks)).toEqual([3])
  })

  test('the load published last is read, whatever the order they were written in', async ({ facts }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ clicks: fc.integer({ min: 1, max: 1000 }), publish: fc.boolean() }), { minLength: 1, maxLength: 8 }),
        async (steps) => {
          const property = ++properties
          for (const step of steps) {
            const load = await facts.beginLoad(property, 'web')
            await load.write('total', [total(step.clicks)])
            if (step.publish) await load.publish(new Map([['total', [day]]]))
          }
          const last = steps.findLast((step) => step.publish)
          expect(await clicksOf(facts, property)).toEqual(last ? [last.clicks] : [])
        },
      ),
      { numRuns: 8 },
    )
  })

  test('readers only see complete days while days are being replaced', async ({ facts }) => {
    const property = ++properties
    const rows = (clicks: number) =>
      Array.from({ length: 50 }, (_, i) => ({ date: day, keys: [`q${i}`], clicks, impressions: clicks, position: 1 }))
    const replace = async (clicks: number) => {
      const load = await facts.beginLoad(property, 'web')
      await load.write('query', rows(clicks).slice(0, 25))
      await load.write('query', rows(clicks).slice(25))
      await load.publish(new Map([['query', [day]]]))
    }
    await replace(1)
    const replacing = { done: false }
    const seen = new Set<string>()
    const reading = (async () => {
      while (!replacing.done) {
        const clicks = (await facts.ask(topRows<'query'>, 'query', on(property), 1000)).map((row) => row.clicks)
        seen.add(`${clicks.length} rows of ${[...new Set(clicks)].join(' and ')}`)
      }
    })()
    for (let clicks = 2; clicks <= 12; clicks++) await replace(clicks)
    replacing.done = true
    await reading
    expect([...seen].filter((each) => !/^50 rows of \d+$/.test(each))).toEqual([])
  })
})

test('a list is sorted by clicks, then impressions, up to the limit', async ({ facts }) => {
  const property = ++properties
  const load = await facts.beginLoad(property, 'web')
  const row = (page: string, clicks: number, impressions: number, date = day): FactRow => ({
    date,
    keys: [page],
    clicks,
    impressions,
    position: 4,
  })
  await load.write('page', [row('a', 1, 10), row('b', 2, 20), row('c', 2, 30), row('b', 2, 20, '2026-03-18')])
  await load.publish(new Map([['page', [day, '2026-03-18']]]))
  const top = await facts.ask(topRows<'page'>, 'page', on(property, day, '2026-03-18'), 2)
  expect(top).toEqual([
    { page: 'b', clicks: 4, impressions: 40, ctr: 0.1, position: 4 },
    { page: 'c', clicks: 2, impressions: 30, ctr: 2 / 30, position: 4 },
  ])
})

test('an answer with more bytes than allowed is refused before it is read, whatever they are', async ({ client }) => {
  const row = z.object({ name: z.string(), numbers: z.array(z.number()) })
  const ask = (letters: number, numbers: number) =>
    askWith(client, {
      sql: `SELECT repeat('é', ${letters} + number % 2) AS name, range(toUInt64(${numbers}) + number % 2) AS numbers FROM numbers(1000)`,
      row,
      params: {},
      mostBytes: 1024 ** 2,
    })
  expect(await ask(400, 20)).toHaveLength(1_000)
  await expect(ask(600, 1)).rejects.toBeInstanceOf(TooMuchAtOnce)
  await expect(ask(1, 200)).rejects.toBeInstanceOf(TooMuchAtOnce)
})

test('a long page counts in an answer as often as it is in it, not once', { tags: ['full'] }, async ({ facts }) => {
  const property = ++properties
  const load = await facts.beginLoad(property, 'web')
  const page = `https://long.example/${'é'.repeat(1_000)}`
  await load.write(
    'query_page',
    Array.from({ length: 10_000 }, (_, at) => ({ date: day, keys: [`q${at}`, page], clicks: 1, impressions: 2, position: 1 })),
  )
  await load.publish(new Map([['query_page', [day]]]))
  const span = { start: day, end: day }
  const loads = await facts.ask(storedLoads, { property, grains: ['query_page'], spans: [span] })
  const question = {
    where: [],
    brandTerms: [],
    property,
    searchType: 'web',
    grain: 'query_page',
    loads,
    current: span,
    previous: null,
  } as const
  const rows = (limit: number) =>
    facts.ask(exploredRows, { ...question, by: 'query_page', sort: 'clicks', order: 'desc' }, { limit, offset: 0 })
  expect(await rows(1_000)).toHaveLength(1_000)
  await expect(rows(10_000)).rejects.toBeInstanceOf(TooMuchAtOnce)
})

test('creating the tables again changes nothing', async ({ facts, client }) => {
  const property = ++properties
  await store(await facts.beginLoad(property, 'web'), [total(3)])
  await createFactsTables(client)
  expect(await clicksOf(facts, property)).toEqual([3])
})

test('codes of search types and the columns of each grain never change their meaning', () => {
  expect(searchTypeCode).toEqual({ web: 1, image: 2, video: 3, news: 4, discover: 5, googleNews: 6 })
  expect(grains.map((grain) => grainDimensions[grain].join())).toEqual([
    '',
    'page',
    'query',
    'query,page',
    'device',
    'country',
    'search_appearance',
  ])
})
