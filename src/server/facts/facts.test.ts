import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { factsTest as test } from '../../../test/support/facts.ts'
import { eachDay } from '../../core/analytics/days.ts'
import type { FactRow, Load } from './load.ts'
import { createFactsTables, grainDimensions, grains, searchTypeCode } from './schema.ts'
import type { FactsStore } from './store.ts'
import { dailyTotals } from './questions/daily-totals.ts'
import { topRows } from './questions/top-rows.ts'

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
  test('of any kind comes back unchanged', async ({ facts }) => {
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

test('twenty years of days may come in one write, though the store keeps months apart', async ({ facts }) => {
  const property = ++properties
  const days = [...eachDay('2005-01-01', '2024-12-31')]
  await store(
    await facts.beginLoad(property, 'web'),
    days.map((date) => total(1, date)),
    days,
  )
  expect((await clicksOf(facts, property, '2005-01-01', '2024-12-31')).length).toBe(days.length)
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

  test('a load that was never published is never seen, and a later one takes its place', async ({ facts }) => {
    const property = ++properties
    const lost = await facts.beginLoad(property, 'web')
    await lost.write('total', [total(99)])
    expect(await clicksOf(facts, property)).toEqual([])
    await store(await facts.beginLoad(property, 'web'), [total(5)])
    expect(await clicksOf(facts, property)).toEqual([5])
  })

  test('with a day that has no rows any more makes it empty', async ({ facts }) => {
    const property = ++properties
    await store(await facts.beginLoad(property, 'web'), [total(10), total(20, '2026-03-18')], [day, '2026-03-18'])
    await store(await facts.beginLoad(property, 'web'), [], [day])
    expect(await clicksOf(facts, property, day, '2026-03-18')).toEqual([20])
  })

  test('leaves other days, properties, grains and search types as they were', async ({ facts }) => {
    const [property, neighbour] = [++properties, ++properties]
    await store(await facts.beginLoad(property, 'web'), [total(1), total(2, '2026-03-18')], [day, '2026-03-18'])
    await store(await facts.beginLoad(property, 'image'), [total(3)])
    await store(await facts.beginLoad(neighbour, 'web'), [total(4)])
    await store(await facts.beginLoad(property, 'web'), [total(100)])
    expect(await clicksOf(facts, property, day, '2026-03-18')).toEqual([100, 2])
    expect(await clicksOf(facts, neighbour)).toEqual([4])
    expect((await facts.ask(dailyTotals, { ...on(property), searchType: 'image' })).map((row) => row.clicks)).toEqual([3])
  })

  test('in whatever order loads are written and published, the last one published last is read', async ({ facts }) => {
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

  test('readers see whole days only, while days are being replaced', async ({ facts }) => {
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

test('the list is by clicks, then impressions, and no longer than asked', async ({ facts }) => {
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

test('making the tables again changes nothing', async ({ facts, client }) => {
  const property = ++properties
  await store(await facts.beginLoad(property, 'web'), [total(3)])
  await createFactsTables(client)
  expect(await clicksOf(facts, property)).toEqual([3])
})

test('codes of search types and the columns of each grain never change their meaning', () => {
  expect(searchTypeCode).toEqual({ web: 1, image: 2, video: 3, news: 4, discover: 5 })
  expect(grains.map((grain) => grainDimensions[grain].join())).toEqual(['', 'page', 'query', 'query,page', 'device', 'country'])
})
