import { describe, expect, test } from 'vitest'
import { siteOf } from '../../../../test/support/answers/sites.ts'
import { eachDay } from '../../../core/analytics/days.ts'
import { metricsOf } from '../../../core/analytics/metrics.ts'
import { allSites, changeIn, matching, sorted, tagsOf } from './sites-view.ts'
import { statusOf } from './site-status.ts'

const clicks = (name: string, now: number, before: number | null = null) =>
  siteOf({
    name,
    metrics: { clicks: now, clicksPrevious: before, impressions: now * 10, impressionsPrevious: before === null ? null : before * 10 },
  })
const namesOf = (sites: readonly { name: string }[]) => sites.map(({ name }) => name)

describe('all sites together', () => {
  test('are summed, with positions weighted by impressions', () => {
    const one = siteOf({
      name: 'https://a.example/',
      metrics: { clicks: 10, clicksPrevious: 20, impressions: 100, impressionsPrevious: 200, position: 2, positionPrevious: 4 },
    })
    const two = siteOf({
      name: 'https://b.example/',
      metrics: { clicks: 30, clicksPrevious: 20, impressions: 300, impressionsPrevious: 200, position: 6, positionPrevious: 8 },
    })
    expect(allSites([one, two])).toMatchObject({
      counted: 2,
      metrics: { clicks: 40, clicksPrevious: 40, impressions: 400, impressionsPrevious: 400, position: 5, positionPrevious: 6 },
      within: [],
      older: [],
    })
  })

  test("a part of a domain, or of a URL, isn't added twice", () => {
    const sites = ['sc-domain:a.example', 'https://a.example/', 'https://shop.a.example/', 'https://b.example/', 'https://b.example/blog/']
    const all = allSites(sites.map((name) => clicks(name, 10, 5)))
    expect(all).toMatchObject({ counted: 2, metrics: { clicks: 20, clicksPrevious: 10 } })
    expect(all?.within).toEqual(['https://a.example/', 'https://shop.a.example/', 'https://b.example/blog/'])
  })

  test('a domain of which one day is stored hides nothing of its site, which has all of them', () => {
    const site = (name: string, from: string) => {
      const days = eachDay(from, '2026-03-16').map((date) => {
        return { date, clicks: 100, impressions: 1_000, positionSum: 4_000, rankedImpressions: 1_000 }
      })
      const stored = new Set(days.map(({ date }) => date))
      return siteOf({ name, metrics: metricsOf(name, { days, stored }, '2026-03-16') })
    }
    const all = allSites([site('sc-domain:shop.example', '2026-03-16'), site('https://shop.example/', '2026-01-01')])
    expect(all).toMatchObject({
      counted: 1,
      metrics: { clicks: 700, clicksPrevious: 700 },
      within: [],
      partial: ['sc-domain:shop.example'],
    })
  })

  test("a part counts separately if the whole isn't shown", () => {
    expect(allSites([clicks('https://a.example/', 10)])).toMatchObject({ metrics: { clicks: 10 }, within: [] })
  })

  test("aren't compared if one of them has nothing to compare with", () => {
    const all = allSites([clicks('https://a.example/', 10, 5), clicks('https://b.example/', 10)])
    expect(all?.metrics).toMatchObject({ clicks: 20, clicksPrevious: null, impressionsPrevious: null, positionPrevious: null })
  })

  test('are compared though one of them had no impressions in the week before, as long as all of its days are stored (decision 0066)', () => {
    const stored = new Set(eachDay('2026-03-03', '2026-03-16'))
    const site = (name: string, from: string, perDay: number) => {
      const days = eachDay(from, '2026-03-16').map((date) => {
        return { date, clicks: perDay, impressions: perDay * 10, positionSum: perDay * 50, rankedImpressions: perDay * 10 }
      })
      return siteOf({ name, metrics: metricsOf(name, { days, stored }, '2026-03-16') })
    }
    const all = allSites([site('https://large.example/', '2026-03-03', 1_000), site('https://new.example/', '2026-03-10', 1)])
    expect(all?.metrics).toMatchObject({ clicks: 7_007, clicksPrevious: 7_000, impressionsPrevious: 70_000, positionPrevious: 5 })
    expect(all && changeIn(all.metrics, 'clicks')).toBeCloseTo(0.1, 6)
  })

  test("omit days of another week, and sites that aren't monitored", () => {
    const old = siteOf({ name: 'https://old.example/', metrics: { current: { start: '2025-01-01', end: '2025-01-07' } } })
    const paused = siteOf({ name: 'https://paused.example/', monitored: false, paused: true })
    expect(allSites([clicks('https://a.example/', 10), old, paused])).toMatchObject({
      counted: 1,
      metrics: { clicks: 10 },
      older: [old.name],
    })
  })

  test('are empty while none has figures', () => {
    expect(allSites([siteOf({ metrics: null })])).toBeNull()
    expect(allSites([])).toBeNull()
  })
})

describe('the order', () => {
  const rising = clicks('https://rising.example/', 20, 10)
  const falling = clicks('https://falling.example/', 90, 100)
  const fresh = clicks('https://fresh.example/', 50)
  const empty = siteOf({ name: 'sc-domain:empty.example', metrics: null })
  const by = (sort: Parameters<typeof sorted>[1]['sort'], order: 'asc' | 'desc') =>
    namesOf(sorted([empty, rising, falling, fresh], { sort, order }))

  test('is as selected; missing values come last either way', () => {
    expect(by('clicks', 'desc')).toEqual(namesOf([falling, fresh, rising, empty]))
    expect(by('clicks', 'asc')).toEqual(namesOf([rising, fresh, falling, empty]))
    expect(by('clicksChange', 'desc').slice(0, 2)).toEqual(namesOf([rising, falling]))
    expect(by('clicksChange', 'asc').slice(0, 2)).toEqual(namesOf([falling, rising]))
  })

  test('by name ignores the prefixes common to all names', () => {
    expect(by('name', 'asc')).toEqual(namesOf([empty, falling, fresh, rising]))
  })

  test('by places gained has the best first', () => {
    const up = siteOf({ name: 'https://up.example/', metrics: { position: 3, positionPrevious: 5 } })
    const down = siteOf({ name: 'https://down.example/', metrics: { position: 5, positionPrevious: 3 } })
    expect(namesOf(sorted([down, up], { sort: 'positionChange', order: 'desc' }))).toEqual(namesOf([up, down]))
  })

  test('by alerts has the most severe first, however many others there are', () => {
    const many = siteOf({ name: 'https://many.example/', alerts: { open: 200, worst: 'warning' } })
    const one = siteOf({ name: 'https://one.example/', alerts: { open: 1, worst: 'critical' } })
    const two = siteOf({ name: 'https://two.example/', alerts: { open: 2, worst: 'critical' } })
    expect(namesOf(sorted([many, empty, one, two], { sort: 'alerts', order: 'desc' }))).toEqual(namesOf([two, one, many, empty]))
  })
})

test("what Google counted differently isn't compared", () => {
  const site = siteOf({
    metrics: { current: { start: '2025-09-10', end: '2025-09-16' }, previous: { start: '2025-09-03', end: '2025-09-09' } },
  })
  expect(changeIn(site.metrics, 'impressions')).toBeNull()
  expect(changeIn(site.metrics, 'clicks')).not.toBeNull()
})

test('a search finds names and tags; tags ignore case', () => {
  const [a, b] = [
    siteOf({ name: 'https://a.example/', tags: ['Client one'] }),
    siteOf({ name: 'https://b.example/', tags: ['client ONE', 'EU'] }),
  ]
  const find = (search: string, tag = '') => namesOf(matching([a, b], { search, tag }))
  expect(find('A.EXA')).toEqual([a.name])
  expect(find('eu')).toEqual([b.name])
  expect(find('', 'CLIENT ONE')).toEqual(namesOf([a, b]))
  expect(find('a.example', 'eu')).toEqual([])
  expect(tagsOf([a, b])).toEqual(['client ONE', 'EU'])
})

describe('what to know about a site', () => {
  const words = (change: Parameters<typeof siteOf>[0]) => statusOf(siteOf(change)).words
  test.for([
    ['all well', {}, null],
    ['importing', { sync: { daysLeft: 60, daysTotal: 100, running: true } }, 'Importing 40%'],
    ['Google wants consent', { sync: { state: 'token_revoked' } }, 'Reconnect Google'],
    ['no permission', { sync: { state: 'permission_missing' } }, 'No permission'],
    ['permission has been revoked since the last sync', { permissionLevel: null }, 'No permission'],
    ['quota', { sync: { state: 'quota' } }, 'Waiting for quota'],
    ['paused', { monitored: false, paused: true, sync: { state: 'token_revoked' } }, 'Paused: site limit'],
    ['not monitored', { monitored: false }, 'Not monitored'],
    ['never verified', { monitored: false, permissionLevel: 'siteUnverifiedUser' }, 'No access'],
    ['an imported file', { kind: 'imported', permissionLevel: null, sync: { state: 'imported' } }, null],
  ] as const)('%s', ([_what, change, expected]) => {
    expect(words(change)).toBe(expected)
  })
})
