import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GrainDay, grainRow, grainSite } from '../../../test/support/grain-sites.ts'
import { type EvaluatedSites, openEvaluatedSites } from '../../../test/support/evaluated-sites.ts'
import { type RateBreakdown, rateBreakdown } from '../../contract/alerts/rate-breakdown.ts'
import { addDays } from '../../core/analytics/days.ts'
import { createEventBus } from '../common/events.ts'
import type { Grain } from '../facts/schema.ts'
import { createAnalyticsService } from './service.ts'

const end = '2026-03-15'
const current = { start: addDays(end, -6), end }
const previous = { start: addDays(end, -13), end: addDays(end, -7) }
const odd = `<img src=x onerror=alert(1)>"&'`
const page = 'https://shop.example/lamp'

let sites: EvaluatedSites
let sitesMade = 0
beforeAll(async () => void (sites = await openEvaluatedSites('2026-03-18T20:00:00Z')))
afterAll(() => sites.close())

const siteOf = (on: (date: string) => GrainDay, without: Partial<Record<Grain, readonly string[]>> = {}) =>
  grainSite(sites, { name: `https://rates${++sitesMade}.example/`, end, on, without })
type Site = Awaited<ReturnType<typeof siteOf>>

const asked = (site: Site, change: Partial<Parameters<ReturnType<typeof createAnalyticsService>['rateBreakdown']>[1]> = {}) => {
  const { db, facts } = sites.stores
  const service = createAnalyticsService({ db, facts, events: createEventBus(), clock: { now: () => sites.clock.at } })
  return service.rateBreakdown(site, { of: { kind: 'site' }, metric: 'ctr', current, previous, ...change })
}
const breakdownOf = async (...question: Parameters<typeof asked>): Promise<RateBreakdown> => rateBreakdown.parse(await asked(...question))
const by = (found: RateBreakdown, dimension: string) => {
  const split = found.by.find((each) => each.dimension === dimension)
  if (!split) throw new Error(`Nothing by ${dimension}`)
  return split
}
/** In every dimension the parts add up to its change. */
function expectSums(found: RateBreakdown): void {
  for (const { current: now, previous: before, rate, mix, unnamed = 0 } of found.by)
    expect(rate + mix + unnamed).toBeCloseTo(now - before, 9)
}

const now = (date: string): boolean => date >= current.start
/** The CTR of one query falls to a quarter at its position; Google names three quarters of the impressions. */
const clickedLess = (date: string): GrainDay => {
  const clicks = now(date) ? 15 : 60
  return {
    total: [grainRow([], clicks + 50, 2_000, 5)],
    page: [grainRow([page], clicks + 10, 700, 3), grainRow(['https://shop.example/b'], 41, 1_600, 6)],
    query: [grainRow([odd], clicks, 600, 3), grainRow(['rugs'], 30, 900, 6)],
    query_page: [grainRow([odd, page], clicks, 600, 3), grainRow(['rugs', 'https://shop.example/b'], 30, 900, 6)],
    device: [grainRow(['MOBILE'], clicks, 800, 4), grainRow(['DESKTOP'], 50, 1_200, 5.666_666_666_666_667)],
    country: [grainRow(['deu'], clicks + 50, 2_000, 5)],
  }
}

describe('a change in CTR', () => {
  test('is split into the CTR of each query and its share of impressions, which add up to it', async () => {
    const found = await breakdownOf(await siteOf(clickedLess))
    expect([found.previous, found.current]).toEqual([110 / 2_000, 65 / 2_000])
    expectSums(found)
    const queries = by(found, 'query')
    expect(queries).toMatchObject({ current: 65 / 2_000, previous: 110 / 2_000, mix: expect.closeTo(0, 9) as number })
    expect(queries.rate).toBeCloseTo(-45 / 2_000, 9)
    // Its position didn't change, and neither did what Google doesn't name.
    expect([queries.position, queries.unnamed]).toEqual([0, expect.closeTo(0, 9)])
    expect(queries.items[0]).toEqual({
      name: odd,
      current: 15 / 600,
      previous: 60 / 600,
      currentShare: 0.3,
      previousShare: 0.3,
      rate: expect.closeTo(-45 / 2_000, 9) as number,
      mix: 0,
    })
    expect(by(found, 'device').items[0]).toMatchObject({ name: 'MOBILE', mix: 0 })
  })

  test('counted by page, is a different one, which has its own figures', { tags: ['full'] }, async () => {
    const pages = by(await breakdownOf(await siteOf(clickedLess)), 'page')
    expect([pages.previous, pages.current]).toEqual([111 / 2_300, 66 / 2_300])
    expect(pages.items[0]).toMatchObject({ name: page, rate: expect.closeTo(-45 / 2_300, 9) as number })
  })

  test('comes from changed shares of impressions if each query keeps its CTR', async () => {
    const found = await breakdownOf(
      await siteOf((date) => {
        const many = now(date) ? 1_500 : 500
        return {
          total: [grainRow([], many * 0.01 + (2_000 - many) * 0.1, 2_000, 5)],
          query: [grainRow(['low'], many * 0.01, many, 5), grainRow(['high'], (2_000 - many) * 0.1, 2_000 - many, 5)],
        }
      }),
    )
    const queries = by(found, 'query')
    expect(queries).toMatchObject({ rate: 0, unnamed: 0, mix: expect.closeTo(found.current - found.previous, 9) as number })
    expect(queries.items.map(({ name, previousShare, currentShare }) => [name, previousShare, currentShare])).toEqual([
      ['high', 0.75, 0.25],
      ['low', 0.25, 0.75],
    ])
  })

  test('of a page is split by its queries; of a query by its position and its CTR there', { tags: ['full'] }, async () => {
    const site = await siteOf((date) => ({
      ...clickedLess(date),
      query: [grainRow([odd], now(date) ? 15 : 60, 600, now(date) ? 9 : 3)],
    }))
    const ofPage = await breakdownOf(site, { of: { kind: 'page', name: page } })
    expectSums(ofPage)
    expect([ofPage.previous, ofPage.current]).toEqual([70 / 700, 25 / 700])
    expect(ofPage.by.map(({ dimension }) => dimension)).toEqual(['query'])
    const ofQuery = await breakdownOf(site, { of: { kind: 'query', name: odd } })
    expectSums(ofQuery)
    const itself = by(ofQuery, 'query')
    expect(itself.mix).toBe(0)
    expect(itself.position).toBeLessThan(-0.03)
    expect(itself.position).toBeGreaterThan(itself.rate)
  })

  test('of some queries together is split by only these', async () => {
    const found = await breakdownOf(await siteOf(clickedLess), { of: { kind: 'queries', names: [odd, 'rugs'] } })
    expect([found.previous, found.current]).toEqual([90 / 1_500, 45 / 1_500])
    expectSums(found)
    expect(by(found, 'query').unnamed).toBeUndefined()
  })

  test('adds up whatever queries there are', { tags: ['full'] }, async () => {
    const figures = fc.record({
      clicks: fc.nat({ max: 50 }),
      impressions: fc.integer({ min: 50, max: 5_000 }),
      position: fc.double({ min: 1, max: 60, noNaN: true }),
    })
    const query = fc.record({ name: fc.constantFrom('a', 'b', '日本', `'"<&`, 'e'), before: fc.option(figures), after: fc.option(figures) })
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(query, { selector: ({ name }) => name }),
        fc.constantFrom('ctr', 'position'),
        async (queries, metric) => {
          const site = await siteOf((date) => {
            const rows = queries.flatMap(({ name, before, after }) => {
              const of = now(date) ? after : before
              return of ? [grainRow([name], of.clicks, of.impressions, of.position)] : []
            })
            const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((all, each) => all + of(each), 0)
            const impressions = sum((row) => row.impressions) + 10
            const position = (sum((row) => row.position * row.impressions) + 10 * 20) / impressions
            return { total: [grainRow([], sum((row) => row.clicks) + 1, impressions, position)], query: rows }
          })
          const found = await breakdownOf(site, { metric })
          const { current: after, previous: before, rate, mix, unnamed = 0 } = by(found, 'query')
          expect(rate + mix + unnamed).toBeCloseTo(after - before, 6)
          expect([after, before]).toEqual([found.current, found.previous])
        },
      ),
      { numRuns: 8 },
    )
  })
})

test('a change in position is split into the positions of queries and their shares of impressions', async () => {
  const found = await breakdownOf(
    await siteOf((date) => ({
      total: [grainRow([], 50, 1_000, now(date) ? 7 : 4)],
      query: [grainRow([odd], 20, 500, now(date) ? 10 : 4), grainRow(['rugs'], 30, 500, 4)],
    })),
    { metric: 'position' },
  )
  expect([found.previous, found.current]).toEqual([4, 7])
  expectSums(found)
  expect(by(found, 'query')).toMatchObject({ rate: expect.closeTo(3, 9) as number, mix: expect.closeTo(0, 9) as number })
  expect(by(found, 'query').position).toBeUndefined()
  expect(by(found, 'query').items[0]).toMatchObject({ name: odd, previous: 4, current: 10 })
})

describe("what isn't exact isn't shown", () => {
  test('a split with more or fewer impressions than the site', { tags: ['full'] }, async () => {
    const more = (date: string): GrainDay => ({ ...clickedLess(date), country: [grainRow(['deu'], 10, 1_900, 5)] })
    const found = await breakdownOf(await siteOf(more))
    expect(found.by.map(({ dimension }) => dimension)).toEqual(['page', 'query', 'device', 'brand'])
    const queries = (date: string): GrainDay => ({ ...clickedLess(date), query: [grainRow([odd], 10, 2_100, 5)] })
    expect((await breakdownOf(await siteOf(queries))).by.map(({ dimension }) => dimension)).toEqual(['page', 'device', 'country'])
  })

  test('days that are missing, or that Google counted differently', { tags: ['full'] }, async () => {
    expect(await asked(await siteOf(clickedLess, { total: [end] }))).toBeNull()
    const found = await breakdownOf(await siteOf(clickedLess, { query: [end] }))
    expect(found.by.map(({ dimension }) => dimension)).toEqual(['page', 'device', 'country'])
    const edge = { current: { start: '2026-04-28', end: '2026-05-04' }, previous: { start: '2026-04-21', end: '2026-04-27' } }
    const measured = await sites.property('https://measured-rates.example/', { through: edge.current.end })
    await measured.store(edge.previous.start, edge.current.end, () => [{ page, clicks: 100, impressions: 2_000 }])
    expect(await asked({ ...measured, completeThrough: edge.current.end }, edge)).toBeNull()
  })
})
