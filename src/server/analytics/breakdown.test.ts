import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GrainDay, grainRow, grainSite } from '../../../test/support/grain-sites.ts'
import { type EvaluatedSites, openEvaluatedSites } from '../../../test/support/evaluated-sites.ts'
import { type ChangeBreakdown, changeBreakdown } from '../../contract/alerts/change-breakdown.ts'
import { addDays, daysBetween } from '../../core/analytics/days.ts'
import { createEventBus } from '../common/events.ts'
import type { Grain } from '../facts/schema.ts'
import { createAnalyticsService } from './service.ts'

const end = '2026-03-15'
const current = { start: addDays(end, -6), end }
const previous = { start: addDays(end, -13), end: addDays(end, -7) }
/** Malicious names for a page and a query. */
const odd = `https://shop.example/<img src=x onerror=alert(1)>"&'`

let sites: EvaluatedSites
let sitesMade = 0
beforeAll(async () => {
  sites = await openEvaluatedSites('2026-03-18T20:00:00Z')
})
afterAll(() => sites.close())

/** A property with these rows on each day; all days of the two weeks are stored, except for those left out of a grain. */
const siteOf = (on: (date: string) => GrainDay, without: Partial<Record<Grain, readonly string[]>> = {}) =>
  grainSite(sites, { name: `https://shop${++sitesMade}.example/`, end, on, without })
type Site = Awaited<ReturnType<typeof siteOf>>

const asked = (site: Site, change: Partial<Parameters<ReturnType<typeof createAnalyticsService>['breakdown']>[1]> = {}) => {
  const { db, facts } = sites.stores
  const { breakdown } = createAnalyticsService({ db, facts, events: createEventBus(), clock: { now: () => sites.clock.at } })
  return breakdown(site, { of: { kind: 'site' }, metric: 'clicks', current, previous, scale: 1, ...change })
}
const breakdownOf = async (...question: Parameters<typeof asked>): Promise<ChangeBreakdown> =>
  changeBreakdown.parse(await asked(...question))
const partsOf = ({ parts }: ChangeBreakdown): number => Object.values(parts ?? { none: Number.NaN }).reduce((sum, part) => sum + part, 0)
const ofDimension = ({ by }: ChangeBreakdown, dimension: string) => by.find((each) => each.dimension === dimension)?.items

const now = (date: string): boolean => date >= current.start

/** A page that fell from position 3 to 9 lost most of the clicks; others didn't change. */
const fallen = (date: string): GrainDay => {
  const [lamp, position] = now(date) ? [4, 9] : [60, 3]
  return {
    total: [grainRow([], lamp + 40 + 9, 2_000, 5)],
    page: [grainRow([odd], lamp, 600, position), grainRow(['https://shop.example/b'], 45, 1_400, 4)],
    query: [grainRow(['<b>lamp</b>'], lamp, 600, position), grainRow(['shop rugs'], 40, 1_300, 4)],
    query_page: [grainRow(['<b>lamp</b>', odd], lamp - 1, 590, position), grainRow(['shop rugs', 'https://shop.example/b'], 40, 1_300, 4)],
    device: [grainRow(['MOBILE'], lamp + 9, 1_000, 5), grainRow(['DESKTOP'], 40, 1_000, 5)],
    country: [grainRow(['deu'], lamp + 40, 1_500, 5), grainRow(['usa'], 9, 500, 5)],
  }
}

describe('what a change is made of', () => {
  test('adds up to it exactly, and shows where the clicks were lost', async () => {
    const found = await breakdownOf(await siteOf(fallen))
    expect([found.previous, found.current]).toEqual([7 * 109, 7 * 53])
    expect(partsOf(found)).toBeCloseTo(found.current - found.previous, 6)
    expect(found.parts?.position).toBeLessThan(-100)
    expect(Math.abs(found.parts?.demand ?? 1)).toBeLessThan(1e-6)
    // Clicks without a named query didn't change.
    expect(found.parts?.anonymized).toBeCloseTo(0, 6)
    expect(ofDimension(found, 'page')).toEqual([{ name: odd, previous: 420, current: 28 }])
    expect(ofDimension(found, 'query')).toEqual([{ name: '<b>lamp</b>', previous: 420, current: 28 }])
    expect(ofDimension(found, 'device')).toEqual([{ name: 'MOBILE', previous: 483, current: 91 }])
    expect(ofDimension(found, 'country')).toEqual([{ name: 'deu', previous: 700, current: 308 }])
    expect(ofDimension(found, 'brand')).toEqual([{ name: 'other', previous: expect.any(Number), current: expect.any(Number) }])
  })

  test('of a page is explained by its queries, and of a query by its pages', async () => {
    const site = await siteOf(fallen)
    const page = await breakdownOf(site, { of: { kind: 'page', name: odd } })
    expect([page.previous, page.current]).toEqual([420, 28])
    expect(partsOf(page)).toBeCloseTo(page.current - page.previous, 6)
    expect(page.by).toEqual([{ dimension: 'query', items: [{ name: '<b>lamp</b>', previous: 413, current: 21 }] }])
    const query = await breakdownOf(site, { of: { kind: 'query', name: '<b>lamp</b>' } })
    expect(query.by).toEqual([{ dimension: 'page', items: [{ name: odd, previous: 413, current: 21 }] }])
    expect(partsOf(query)).toBeCloseTo(query.current - query.previous, 6)
  })

  test('a longer period is scaled to the same number of days', async () => {
    const month = { start: addDays(end, -36 + 7), end: addDays(end, -7) }
    const found = await breakdownOf(await siteOf(fallen), { previous: month, scale: 7 / daysBetween(month.start, month.end) })
    expect(found.previous).toBeCloseTo(7 * 109, 6)
    expect(partsOf(found)).toBeCloseTo(found.current - found.previous, 6)
  })

  test('impressions are split by where they occur, and have no such parts', async () => {
    const found = await breakdownOf(await siteOf((date) => ({ ...fallen(date), total: [grainRow([], 9, now(date) ? 100 : 200, 5)] })), {
      metric: 'impressions',
    })
    expect(found).toMatchObject({ current: 700, previous: 1_400, parts: null })
  })

  test('adds up whatever queries there are: new, gone, without a position, without clicks', { tags: ['full'] }, async () => {
    const figures = fc.record({
      clicks: fc.nat({ max: 50 }),
      impressions: fc.integer({ min: 50, max: 5_000 }),
      position: fc.double({ min: 1, max: 60, noNaN: true }),
    })
    const query = fc.record({ name: fc.constantFrom('a', 'b', '日本', `'"<&`, 'e'), before: fc.option(figures), after: fc.option(figures) })
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(query, { selector: ({ name }) => name }), fc.nat({ max: 99 }), async (queries, anonymized) => {
        const rowsOn = (date: string) =>
          queries.flatMap(({ name, before, after }) => {
            const of = now(date) ? after : before
            return of ? [grainRow([name], of.clicks, of.impressions, of.position)] : []
          })
        const site = await siteOf((date) => {
          const rows = rowsOn(date)
          const clicks = rows.reduce((sum, each) => sum + each.clicks, now(date) ? anonymized : 3)
          return { total: [grainRow([], clicks, 50_000, 5)], query: rows }
        })
        const found = await breakdownOf(site)
        expect(partsOf(found)).toBeCloseTo(found.current - found.previous, 4)
        expect(found.parts?.anonymized).toBeCloseTo(7 * (anonymized - 3), 4)
      }),
      { numRuns: 8 },
    )
  })
})

describe("what isn't known isn't shown", () => {
  test.each([current.start, previous.end])("a change whose %s isn't stored", async (missing) => {
    expect(await asked(await siteOf(fallen, { total: [missing] }))).toBeNull()
  })

  test('the parts by query, if one of their days is missing; the rest is shown', async () => {
    const found = await breakdownOf(await siteOf(fallen, { query: [end], country: [previous.start] }))
    expect(found.parts).toBeNull()
    expect(found.by.map(({ dimension }) => dimension)).toEqual(['page', 'device'])
  })

  test('a revised day counts with its current figures', async () => {
    const site = await siteOf(fallen)
    const load = await sites.stores.facts.beginLoad(site.id, 'web')
    await load.write('total', [{ date: end, keys: [], clicks: 109, impressions: 2_000, position: 5 }])
    await load.publish(new Map([['total', [end]]]))
    await sites.stores.db.updateTable('propertySyncs').set({ factsVersion: 2 }).where('propertyId', '=', site.id).execute()
    const found = await breakdownOf({ ...site, factsVersion: 2 })
    expect(found.current).toBe(6 * 53 + 109)
    expect(partsOf(found)).toBeCloseTo(found.current - found.previous, 6)
  })

  test('across days on which Google counted differently: impressions not at all, clicks only by where they occur', async () => {
    const edge = { current: { start: '2026-04-28', end: '2026-05-04' }, previous: { start: '2026-04-21', end: '2026-04-27' } }
    const site = await sites.property('https://measured.example/', { through: edge.current.end })
    await site.store(edge.previous.start, edge.current.end, (date) => [
      { page: odd, clicks: date < edge.current.start ? 100 : 40, impressions: date < edge.current.start ? 2_000 : 900 },
    ])
    const complete = { ...site, completeThrough: edge.current.end }
    expect(await asked(complete, { ...edge, metric: 'impressions' })).toBeNull()
    const found = await breakdownOf(complete, edge)
    expect(found).toMatchObject({ current: 280, previous: 700, parts: null })
    expect(ofDimension(found, 'page')).toEqual([{ name: odd, previous: 700, current: 280 }])
  })
})
