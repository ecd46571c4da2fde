import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { factsTest as test, type TestFacts } from '../../../../test/support/facts.ts'
import type { Filter } from '../../../contract/explore/explore.ts'
import { compactTerms, compactText } from '../../../core/analytics/brand.ts'
import { publishedCurve } from '../../../core/analytics/ctr-curve.ts'
import { addDays } from '../../../core/analytics/days.ts'
import { opportunityScore } from '../../../core/analytics/opportunity.ts'
import { TookTooLong } from '../../platform/clickhouse/clickhouse-errors.ts'
import type { FactRow } from '../load.ts'
import type { Grain } from '../schema.ts'
import type { FactsStore } from '../store.ts'
import { storedLoads } from '../stored-loads.ts'
import { positionBins } from './daily-figures.ts'
import { decayingPages } from './decaying-pages.ts'
import { exploredRows } from './explored.ts'
import type { WindowId } from './window-columns.ts'
import { windowPages } from './window-pages.ts'
import { contestedQueries, type ContestedQuestion, type QueriesQuestion, windowQueries } from './window-queries.ts'
import { windowTables } from './window-schema.ts'
import { windowListed } from './window-sums.ts'
import { findWindow, windowGrains, type WindowSource } from './window.ts'

const end = '2026-03-15'
const current = { start: addDays(end, -6), end }
const previous = { start: addDays(end, -13), end: addDays(end, -7) }
const made = '2026-03-18'
const all = { limit: 1_000_000, offset: 0 }

let properties = 0

type Row = { date?: string; keys: string[]; clicks?: number; impressions: number; position?: number }

/** Stores rows of one grain, on the period's last day unless they name another, and publishes all days they touch. */
async function store(
  facts: TestFacts['facts'],
  property: number,
  grain: Grain,
  rows: readonly Row[],
  days = [...new Set(rows.map(({ date }) => date ?? end))],
) {
  const load = await facts.beginLoad(property, 'web')
  await load.write(
    grain,
    rows.map(({ date = end, clicks = 0, position = 1, ...row }): FactRow => ({ date, clicks, position, ...row })),
  )
  await load.publish(new Map([[grain, days]]))
}

const sourceOf = async (facts: FactsStore, property: number, before = previous): Promise<WindowSource> => ({
  property,
  current,
  previous: before,
  loads: await facts.ask(storedLoads, { property, grains: windowGrains, spans: [current, before] }),
})
const windowOf = async (facts: FactsStore, property: number, before = previous) =>
  facts.makeWindow(await sourceOf(facts, property, before), { made, threads: 2 })

const question = (window: WindowId, more: Partial<QueriesQuestion> = {}): QueriesQuestion => ({
  window,
  presence: 'current',
  brand: 'all',
  brandTerms: [],
  sort: 'clicks',
  order: 'desc',
  scored: null,
  ...more,
})
const namesOf = async (facts: FactsStore, window: WindowId, more: Partial<QueriesQuestion> = {}) =>
  (await facts.ask(windowQueries, question(window, more), all)).map(({ query }) => query)

describe('a window holds', () => {
  test('the sums of a period and its comparison at the query grain, with pages from the finer one', async ({ facts }) => {
    const property = ++properties
    await store(facts, property, 'query', [
      { keys: ['lamp'], clicks: 3, impressions: 10, position: 2 },
      { date: current.start, keys: ['lamp'], clicks: 1, impressions: 30, position: 4 },
      { date: previous.end, keys: ['lamp'], clicks: 5, impressions: 20, position: 3 },
      { date: previous.start, keys: ['gone'], clicks: 2, impressions: 8, position: 9 },
      { date: addDays(previous.start, -1), keys: ['lamp'], clicks: 100, impressions: 100 },
      { date: addDays(end, 1), keys: ['lamp'], clicks: 100, impressions: 100 },
    ])
    await store(facts, property, 'query_page', [
      { keys: ['lamp', '/a'], clicks: 1, impressions: 90 },
      { keys: ['lamp', '/b'], clicks: 3, impressions: 30 },
      { keys: ['lamp', '/c'], clicks: 0, impressions: 5 },
      { date: previous.end, keys: ['lamp', '/d'], clicks: 50, impressions: 50 },
      { date: previous.end, keys: ['gone', '/old'], clicks: 2, impressions: 8 },
    ])
    const window = await windowOf(facts, property)
    expect(await facts.ask(windowQueries, question(window), all)).toEqual([
      {
        query: 'lamp',
        page: '/b',
        pages: 3,
        brand: false,
        clicks: 4,
        impressions: 40,
        ctr: 0.1,
        position: (10 * 2 + 30 * 4) / 40,
        score: 0,
        beforeClicks: 5,
        beforeImpressions: 20,
        beforeCtr: 0.25,
        beforePosition: 3,
      },
    ])
    expect(await facts.ask(windowQueries, question(window, { presence: 'lost' }), all)).toMatchObject([
      { query: 'gone', page: '/old', pages: 0, clicks: 0, impressions: 0, beforeClicks: 2, beforeImpressions: 8, beforePosition: 9 },
    ])
    expect(await facts.ask(contestedQueries, { ...question(window), sort: 'atStake' }, all)).toMatchObject([
      {
        query: 'lamp',
        clicks: 4,
        impressions: 40,
        ctr: 0.1,
        position: 3.5,
        rivals: [
          { page: '/a', clicks: 1, impressions: 90, ctr: 1 / 90, position: 1, share: 90 / 125 },
          { page: '/b', clicks: 3, impressions: 30, ctr: 0.1, position: 1, share: 30 / 125 },
        ],
      },
    ])
  })

  test('queries whose pages compete, by what is at stake or in the order of any list', async ({ facts }) => {
    const property = ++properties
    const pages = (query: string, most: number, least: number) => [
      { keys: [query, '/a'], clicks: 0, impressions: most },
      { keys: [query, '/b'], clicks: 0, impressions: least },
    ]
    await store(facts, property, 'query', [
      { keys: ['sofa'], clicks: 9, impressions: 50, position: 2 },
      { date: previous.end, keys: ['sofa'], clicks: 20, impressions: 50, position: 2 },
      { keys: ['lamp'], clicks: 5, impressions: 90, position: 5 },
      { keys: ['table'], clicks: 7, impressions: 70, position: 3 },
      { keys: ['alone'], clicks: 99, impressions: 990, position: 1 },
    ])
    await store(facts, property, 'query_page', [
      ...pages('sofa', 30, 20),
      ...pages('lamp', 60, 30),
      ...pages('table', 60, 10),
      { keys: ['alone', '/a'], clicks: 0, impressions: 990 },
    ])
    const asked = question(await windowOf(facts, property))
    const names = async (sort: ContestedQuestion['sort'], order: 'asc' | 'desc') =>
      (await facts.ask(contestedQueries, { ...asked, sort, order }, all)).map(({ query, contested }) => [query, contested])
    expect(await names('atStake', 'desc')).toEqual([
      ['lamp', 30],
      ['sofa', 20],
      ['table', 10],
    ])
    const inOrder = async (sort: ContestedQuestion['sort'], order: 'asc' | 'desc') => (await names(sort, order)).map(([query]) => query)
    expect(await inOrder('query', 'asc')).toEqual(['lamp', 'sofa', 'table'])
    expect(await inOrder('position', 'asc')).toEqual(['sofa', 'table', 'lamp'])
    expect(await inOrder('clicksChange', 'asc')).toEqual(['sofa', 'lamp', 'table'])
    expect((await facts.ask(contestedQueries, { ...asked, sort: 'clicks', order: 'desc' }, { limit: 1, offset: 1 }))[0]?.query).toBe(
      'table',
    )
  })

  test('the same days a year earlier, wherever they are stored', async ({ facts }) => {
    const property = ++properties
    const year = { start: addDays(current.start, -364), end: addDays(end, -364) }
    await store(facts, property, 'page', [
      { keys: ['/a'], clicks: 1, impressions: 10 },
      { date: year.start, keys: ['/a'], clicks: 2, impressions: 10 },
      { date: year.end, keys: ['/a'], clicks: 3, impressions: 10 },
      { date: addDays(year.end, 1), keys: ['/a'], clicks: 100, impressions: 100 },
      { date: addDays(current.start, -1), keys: ['/a'], clicks: 100, impressions: 100 },
    ])
    const window = await windowOf(facts, property, year)
    expect(await facts.ask(windowPages, { window, sort: 'clicks', order: 'desc' }, all)).toMatchObject([
      { page: '/a', clicks: 1, beforeClicks: 5, beforeImpressions: 20 },
    ])
  })

  test('nothing for a property without stored days', async ({ facts }) => {
    const window = await windowOf(facts, ++properties)
    expect(await facts.ask(windowQueries, question(window), all)).toEqual([])
    expect(await facts.ask(windowListed, 'page', window)).toEqual({ count: 0, clicks: 0, impressions: 0 })
  })

  test('a query without known pages, and an unknown position, which is neither good nor bad', async ({ facts }) => {
    const property = ++properties
    await store(facts, property, 'query', [
      { keys: ['unknown'], clicks: 1, impressions: 10, position: 0 },
      { keys: ['third'], clicks: 1, impressions: 10, position: 3 },
      { keys: ['first'], clicks: 1, impressions: 10, position: 1 },
    ])
    const window = await windowOf(facts, property)
    expect(await facts.ask(windowQueries, question(window, { search: 'unknown' }), all)).toMatchObject([
      { page: '', pages: 0, position: 0 },
    ])
    expect(await namesOf(facts, window, { sort: 'position', order: 'asc' })).toEqual(['first', 'third', 'unknown'])
    expect(await namesOf(facts, window, { sort: 'position', order: 'desc' })).toEqual(['third', 'first', 'unknown'])
    expect(await namesOf(facts, window, { positionMax: 100, sort: 'query', order: 'asc' })).toEqual(['first', 'third'])
    expect(await namesOf(facts, window, { positionMin: 3, positionMax: 3 })).toEqual(['third'])
  })
})

describe('a window is reused', () => {
  test('while its stored days are unchanged, until it is too old', async ({ facts }) => {
    const property = ++properties
    await store(facts, property, 'query', [{ keys: ['a'], impressions: 1 }])
    const source = await sourceOf(facts, property)
    expect(await facts.ask(findWindow, source, made)).toBeNull()
    const window = await facts.makeWindow(source, { made, threads: 1 })
    expect(await facts.ask(findWindow, source, made)).toBe(window)
    expect(await facts.ask(findWindow, source, addDays(made, 1))).toBeNull()
    // Days without rows in it make no difference; one with rows does.
    await store(facts, property, 'query', [{ date: addDays(previous.start, -1), keys: ['a'], impressions: 1 }])
    expect(await facts.ask(findWindow, await sourceOf(facts, property), made)).toBe(window)
    await store(facts, property, 'query', [{ keys: ['b'], impressions: 1 }])
    const later = await sourceOf(facts, property)
    expect(await facts.ask(findWindow, later, made)).toBeNull()
    expect(await namesOf(facts, await facts.makeWindow(later, { made, threads: 2 }))).toEqual(['b'])
    expect(await namesOf(facts, window)).toEqual(['a'])
  })

  test('only if all of it was summed up in time', async ({ facts }) => {
    const property = ++properties
    await store(facts, property, 'query', [{ keys: ['a'], impressions: 1 }])
    const source = await sourceOf(facts, property)
    await expect(facts.makeWindow(source, { made, threads: 2, seconds: 0.001 })).rejects.toThrow(TookTooLong)
    expect(await facts.ask(findWindow, source, made)).toBeNull()
    expect(await namesOf(facts, await facts.makeWindow(source, { made, threads: 2 }))).toEqual(['a'])
  })

  test('but not after it was swept or its property was deleted', async ({ facts, client }) => {
    const [old, fresh] = [++properties, ++properties]
    await store(facts, old, 'query', [{ keys: ['a'], impressions: 1 }])
    await store(facts, fresh, 'query', [{ keys: ['a'], impressions: 1 }])
    const [ofOld, ofFresh] = [await sourceOf(facts, old), await sourceOf(facts, fresh)]
    const before = await facts.makeWindow(ofOld, { made: addDays(made, -4), threads: 2 })
    const after = await facts.makeWindow(ofFresh, { made, threads: 2 })
    await facts.dropWindows(addDays(made, -3))
    expect(await facts.ask(findWindow, ofOld, '2026-01-01')).toBeNull()
    expect(await namesOf(facts, before)).toEqual([])
    expect(await facts.ask(findWindow, ofFresh, '2026-01-01')).toBe(after)
    expect(await namesOf(facts, after)).toEqual(['a'])
    await facts.drop([fresh])
    for (const table of windowTables) {
      const answer = await client.query({
        query: `SELECT count() AS n FROM ${table} WHERE property = ${fresh}`,
        format: 'JSONEachRow',
      })
      expect(Number((await answer.json<{ n: string }>())[0]?.n)).toBe(0)
    }
  })
})

test('the store and the core agree on which queries are brand queries', { tags: ['full'] }, async ({ facts }) => {
  const odd = fc.constantFrom(
    ' ',
    '-',
    'a',
    'A',
    'ä',
    'Ä',
    'ß',
    'ẞ',
    'İ',
    'ı',
    'Σ',
    'ς',
    'Ж',
    'ﬃ',
    '𝕏',
    'é',
    "'",
    '\\',
    '%',
    '_',
    '{',
    '\0',
  )
  const text = fc.oneof(fc.string({ unit: odd, minLength: 1, maxLength: 6 }), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }))
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(text, { minLength: 20, maxLength: 60, selector: (each) => each.toWellFormed() }),
      fc.array(fc.oneof(text, fc.string({ unit: odd, minLength: 1, maxLength: 2 })), { maxLength: 50 }),
      async (queries, terms) => {
        const property = ++properties
        await store(
          facts,
          property,
          'query',
          queries.map((query) => ({ keys: [query], impressions: 1 })),
        )
        const window = await windowOf(facts, property)
        const brandTerms = compactTerms(terms)
        const isBrand = (query: string) => compactTerms(terms).some((term) => compactText(query).includes(term))
        expect((await namesOf(facts, window, { brand: 'brand', brandTerms })).toSorted()).toEqual(queries.filter(isBrand).toSorted())
        expect((await namesOf(facts, window, { brand: 'non-brand', brandTerms })).toSorted()).toEqual(
          queries.filter((query) => !isBrand(query)).toSorted(),
        )
      },
    ),
    { numRuns: 12 },
  )
})

test('the store and the core agree on the score of every keyword', async ({ facts }) => {
  const property = ++properties
  const rows = Array.from({ length: 400 }, (_, i) => ({
    keys: [`query ${i}`],
    impressions: 1 + ((i * 37) % 900),
    position: 1 + ((i * 0.127) % 60),
  }))
  await store(facts, property, 'query', [...rows, { keys: ['without'], impressions: 50, position: 0 }])
  const window = await windowOf(facts, property)
  for (const days of [1, 7, 90]) {
    const scored = { curve: publishedCurve, days, least: 0 }
    const found = await facts.ask(windowQueries, question(window, { scored, sort: 'opportunityScore' }), all)
    const expected = rows
      .map(({ keys, impressions, position }) => ({
        query: keys[0],
        score: opportunityScore({ impressions, position, days }, publishedCurve),
      }))
      .filter(({ score }) => score > 0)
    expect(found).toHaveLength(expected.length)
    const scores = new Map(found.map(({ query, score }) => [query, score]))
    for (const { query, score } of expected) expect(scores.get(query ?? '')).toBeCloseTo(score, 8)
    expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).toSorted((a, b) => b - a))
  }
})

test('text is found anywhere in a name, whatever it contains', { tags: ['full'] }, async ({ facts }) => {
  const property = ++properties
  const odd = ["it's", 'back\\slash', 'null\0byte', 'per%cent_', 'Ölfarbe', '{x:String}', 'a"b', '日本語', 'οδός οδοσ']
  await store(
    facts,
    property,
    'query',
    odd.map((query) => ({ keys: [`x ${query} y`], impressions: 1 })),
  )
  const window = await windowOf(facts, property)
  for (const query of odd) expect(await namesOf(facts, window, { search: query.toUpperCase() })).toEqual([`x ${query} y`])
  expect(await namesOf(facts, window, { search: 'ΟΔΌΣ' })).toEqual(['x οδός οδοσ y'])
  for (const search of ['%', '_', '.*', "' OR 1=1", '\ud800']) expect((await namesOf(facts, window, { search })).length).toBeLessThan(2)
})

test('the parts of a list fit together, whatever the sort order', { tags: ['full'] }, async ({ facts }) => {
  const property = ++properties
  const names = Array.from({ length: 50 }, (_, i) => `q${i}`)
  await store(
    facts,
    property,
    'query',
    names.map((query) => ({ keys: [query], clicks: 1, impressions: 5 })),
  )
  const window = await windowOf(facts, property)
  for (const sort of ['clicks', 'impressions', 'ctr', 'position', 'query'] as const) {
    const parts = await Promise.all(
      [0, 20, 40].map((offset) => facts.ask(windowQueries, question(window, { sort, order: 'asc' }), { limit: 20, offset })),
    )
    expect(parts.flat().map(({ query }) => query)).toEqual(await namesOf(facts, window, { sort, order: 'asc' }))
    expect(new Set(parts.flat().map(({ query }) => query)).size).toBe(50)
  }
})

test('pages are sorted by their displayed figures', async ({ facts }) => {
  const property = ++properties
  await store(facts, property, 'page', [
    { keys: ['/five'], clicks: 49_996, impressions: 1_000_000 },
    { keys: ['/two'], clicks: 2, impressions: 100 },
    { keys: ['/none'], clicks: 0, impressions: 101 },
  ])
  const window = await windowOf(facts, property)
  const pages = async (more: object) =>
    (await facts.ask(windowPages, { window, sort: 'page', order: 'asc', ...more }, all)).map(({ page }) => page)
  // 4.9996 percent is displayed as 5.00.
  expect(await pages({ ctrAtLeast: 5 })).toEqual(['/five'])
  expect(await pages({ ctrBelow: 5 })).toEqual(['/none', '/two'])
  expect(await pages({ ctrBelow: 2, impressionsAbove: 100 })).toEqual(['/none'])
  expect(await pages({ impressionsAbove: 101 })).toEqual(['/five'])
  expect(await pages({ search: 'O' })).toEqual(['/none', '/two'])
})

describe('what is read of a page is found', () => {
  const encoded = 'https://shop.example/%D1%82%D0%BE%D0%B2%D0%B0%D1%80%D1%8B/oak%20%5B1%5D/100%25/'
  const decoded = 'https://shop.example/товары/oak [1]/100%/'
  const plain = 'https://shop.example/lamps/'
  const others = [plain, 'https://shop.example/%E3%83/']

  test('by a search, in any case, and as it is stored', { tags: ['full'] }, async ({ facts }) => {
    const property = ++properties
    await store(
      facts,
      property,
      'page',
      [encoded, ...others].flatMap((page) => [
        { keys: [page], clicks: 1, impressions: 10 },
        { date: previous.end, keys: [page], clicks: 2, impressions: 10 },
      ]),
    )
    const window = await windowOf(facts, property)
    const periods = [previous, current]
    const loads = await facts.ask(storedLoads, { property, grains: ['page'], spans: periods })
    for (const search of ['товары', 'ТОВАРЫ', 'oak [1]', '100%/', '%d1%82%D0%BE']) {
      const found = await facts.ask(windowPages, { window, sort: 'page', order: 'asc', search }, all)
      expect(found.map(({ page }) => page)).toEqual([encoded])
      const decaying = await facts.ask(decayingPages, { property, periods, loads, search }, all)
      expect(decaying.map(({ page }) => page)).toEqual([encoded])
    }
  })

  test('by every filter, and left out by its opposite', { tags: ['full'] }, async ({ facts }) => {
    const property = ++properties
    await store(
      facts,
      property,
      'page',
      [encoded, ...others].map((page) => ({ keys: [page], clicks: 1, impressions: 10 })),
    )
    const loads = await facts.ask(storedLoads, { property, grains: ['page'], spans: [current] })
    const given = { property, searchType: 'web', grain: 'page', loads, current, previous: null, brandTerms: [] } as const
    const pagesOf = async (filter: Omit<Filter, 'field'>) =>
      (
        await facts.ask(
          exploredRows,
          { ...given, where: [{ field: 'page', ...filter }], by: 'page', sort: 'name', order: 'asc' },
          { limit: 10, offset: 0 },
        )
      ).map(({ name }) => name)
    const filters = [
      ['contains', 'Товары'],
      ['is', decoded],
      ['is', encoded],
      ['starts', 'https://shop.example/то'],
      ['matches', '/товары/oak .1.'],
    ] as const
    for (const [operator, value] of filters) {
      expect(await pagesOf({ operator, value, not: false })).toEqual([encoded])
      expect(await pagesOf({ operator, value, not: true })).toEqual(others.toSorted())
    }
  })
})

describe('pages are decaying', () => {
  const periods = [3, 2, 1, 0].map((back) => ({ start: addDays(end, -7 * back - 6), end: addDays(end, -7 * back) }))
  test('when their clicks fall for three periods in a row, largest loss first', async ({ facts }) => {
    const property = ++properties
    const rows = Object.entries({
      '/falls': [9, 5, 4, 0],
      '/falls more': [90, 80, 70, 60],
      '/rests': [9, 5, 5, 1],
      '/rises': [1, 2, 3, 4],
    }).flatMap(([page, clicks]) => clicks.map((count, i) => ({ date: periods[i]!.start, keys: [page], clicks: count, impressions: 100 })))
    await store(facts, property, 'page', rows)
    const loads = await facts.ask(storedLoads, { property, grains: ['page'], spans: periods })
    expect(await facts.ask(decayingPages, { property, periods, loads }, all)).toEqual([
      { page: '/falls more', clicks: [90, 80, 70, 60], impressions: [100, 100, 100, 100] },
      { page: '/falls', clicks: [9, 5, 4, 0], impressions: [100, 100, 100, 100] },
    ])
    expect(await facts.ask(decayingPages, { property, periods, loads, search: 'MORE' }, all)).toHaveLength(1)
  })
})

test('positions are weighted per daily row, without brand queries', async ({ facts }) => {
  const property = ++properties
  await store(facts, property, 'query', [
    { keys: ['a'], clicks: 4, impressions: 10, position: 1.4 },
    { date: current.start, keys: ['a'], clicks: 1, impressions: 10, position: 1.5 },
    { keys: ['far'], clicks: 1, impressions: 7, position: 57 },
    { keys: ['unknown'], clicks: 1, impressions: 7, position: 0 },
    { keys: ['ac-me'], clicks: 9, impressions: 9, position: 1 },
  ])
  const loads = await facts.ask(storedLoads, { property, grains: ['query'], spans: [current] })
  expect(await facts.ask(positionBins, { property, span: current, loads, brandTerms: ['acme'], last: 20 })).toEqual([
    { position: 1, clicks: 4, impressions: 10 },
    { position: 2, clicks: 1, impressions: 10 },
    { position: 20, clicks: 1, impressions: 7 },
  ])
})
