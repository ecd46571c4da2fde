import { expect } from 'vitest'
import { z } from 'zod'
import { appTest } from '../../../test/support/app-test.ts'
import { newPerson, refresh } from '../../../test/support/people.ts'
import { ownerAtOnce } from '../../../test/support/stored-history.ts'
import { analyticsEndpoints } from '../../contract/analytics.ts'
import { history, type History, type HistoryPoint } from '../../contract/history.ts'
import { addDays, eachDay } from '../../core/analytics/days.ts'

const site = 'https://history.example/'

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('owner', { scope: 'file' }, ({ app }) => ownerAtOnce(app, site, { profile: 'local', days: 460 }))
  .extend(
    'read',
    { scope: 'file' },
    ({ owner }) =>
      async (asked = ''): Promise<History> =>
        history.parse((await owner.get(`/api/analytics/history${asked}`)).body),
  )
  .extend('expectAsAtGoogle', { scope: 'file' }, ({ app }) => async ({ start, end, figures }: HistoryPoint): Promise<void> => {
    const { clicks, impressions, position } = (await app.google.totals({ site, start, end })).total
    expect(figures).toMatchObject({ clicks, impressions })
    expect(figures?.ctr).toBeCloseTo(clicks / impressions, 12)
    expect(figures?.position).toBeCloseTo(position!, 8)
  })

test('the default is the last 7 complete days by day, compared with the 7 before (SPEC §9)', async ({ read, expectAsAtGoogle }) => {
  const { period, compared, grain, points, previousPoints, completeThrough, firstDay } = await read()
  expect({ period, compared, grain, completeThrough, firstDay }).toEqual({
    period: { start: '2026-03-10', end: '2026-03-16' },
    compared: { start: '2026-03-03', end: '2026-03-09' },
    grain: 'day',
    completeThrough: '2026-03-16',
    firstDay: addDays('2026-03-18', -459),
  })
  expect(points.map(({ start }) => start)).toEqual(eachDay(period.start, period.end))
  expect(previousPoints).toHaveLength(7)
  for (const point of [...points.slice(-3), ...previousPoints.slice(0, 3)]) await expectAsAtGoogle(point)
})

test('each week and month equals the sum of its days at Google', async ({ read, expectAsAtGoogle }) => {
  const weeks = await read('?range=3m&grain=week&compare=year')
  expect(weeks).toMatchObject({
    period: { start: '2025-12-17', end: '2026-03-16' },
    compared: { start: '2024-12-18', end: '2025-03-17' },
  })
  expect(weeks.points.map(({ complete }) => complete)).toEqual([false, ...Array<boolean>(12).fill(true), false])
  for (const point of [...weeks.points, ...weeks.previousPoints]) await expectAsAtGoogle(point)

  const months = await read('?range=12m&grain=month')
  expect(months).toMatchObject({ compared: null, previousPoints: [] })
  expect(months.points).toHaveLength(13)
  for (const point of months.points) await expectAsAtGoogle(point)
})

test('chosen days are compared from the first of them on, in the chart and in the lists', async ({ owner, read, expectAsAtGoogle }) => {
  const chosen = await read('?range=7d&compare=2026-01-02')
  expect(chosen.compared).toEqual({ start: '2026-01-02', end: '2026-01-08' })
  for (const point of chosen.previousPoints) await expectAsAtGoogle(point)
  const summary = analyticsEndpoints.summary.answer.parse((await owner.get('/api/analytics/summary?range=7d&compare=2026-01-02')).body)
  expect(summary).toMatchObject({ previous: chosen.compared, current: chosen.period })
  expect(summary?.previousTotals?.clicks).toBe(chosen.previousPoints.reduce((sum, { figures }) => sum + (figures?.clicks ?? 0), 0))
})

test.for(['/api/pages', '/api/keywords'])(
  'days may be compared with later ones, and %s has the figures of both',
  async (list, { owner }) => {
    const figures = z.array(z.object({ clicks: z.number(), previous: z.object({ clicks: z.number() }).nullable() }))
    const rows = async (range: string, compare: string) =>
      figures.parse((await owner.get(`${list}?range=${range}&compare=${compare}&limit=1000`)).body)
    const sum = (of: z.infer<typeof figures>) => of.reduce((total, { clicks }) => total + clicks, 0)
    const [early, late] = ['2026-01-02_2026-01-08', '2026-03-01_2026-03-07']
    const both = await rows(early, '2026-03-01')
    expect(sum(both)).toBe(sum(await rows(early, 'none')))
    expect(both.reduce((total, { previous }) => total + (previous?.clicks ?? 0), 0)).toBeLessThanOrEqual(sum(await rows(late, 'none')))
    expect(both.some(({ previous }) => (previous?.clicks ?? 0) > 0)).toBe(true)
  },
)

test('a range is limited to the days between the first stored one and the last complete one', async ({ read, expectAsAtGoogle }) => {
  const all = await read('?range=all')
  expect(all.period).toEqual({ start: all.firstDay, end: '2026-03-16' })
  expect(await read('?range=16m')).toEqual(all)
  expect(await read('?range=2020-01-01_2027-01-01')).toEqual(all)
  await expectAsAtGoogle(all.points[0]!)

  const chosen = await read('?range=2026-01-05_2026-01-11&grain=week')
  expect(chosen).toMatchObject({ points: [{ complete: true }], compared: { start: '2025-12-29', end: '2026-01-04' } })
  await expectAsAtGoogle(chosen.points[0]!)
  expect(await read('?range=2010-01-01_2010-01-31')).toMatchObject({ points: [], compared: null })
})

test('by day, clicks come with the number expected from the weeks before, the same in every range', async ({ read }) => {
  const { expectedClicks, period, points } = await read('?range=28d')
  expect(expectedClicks.map(({ date }) => date)).toEqual(eachDay(period.start, period.end))
  const isWithin = (at: number): boolean => {
    const clicks = points[at]?.figures?.clicks ?? 0
    return expectedClicks[at]!.low <= clicks && clicks <= expectedClicks[at]!.high
  }
  const ordinary = points.flatMap(({ start }, at) => (start < '2026-03-08' ? isWithin(at) : []))
  expect(ordinary).toHaveLength(19)
  expect(ordinary.filter(Boolean).length).toBeGreaterThanOrEqual(17)
  // Then the stand-in's site loses most of its clicks.
  for (const [at, { start, figures }] of points.entries())
    if (start > '2026-03-08') expect(figures?.clicks).toBeLessThan(expectedClicks[at]!.low)
  const year = await read('?range=12m')
  expect(year.expectedClicks.slice(-28)).toEqual(expectedClicks)
  // The first weeks have no past.
  const all = await read('?range=all')
  expect(all.expectedClicks[0]?.date).toBe(addDays(all.period.end, -6 - 7 * Math.floor((all.points.length - 7 - 28) / 7)))
  expect((await read('?grain=week')).expectedClicks).toEqual([])
  expect((await read('?range=2010-01-01_2010-01-31')).expectedClicks).toEqual([])
})

test.for(['range=30d', 'range=2026-02-31_2026-03-01', 'range=2026-03-02_2026-03-01', 'compare=never', 'grain=hour'])(
  '%s is refused',
  async (asked, { owner }) => {
    expect(await owner.get(`/api/analytics/history?${asked}`)).toMatchObject({ status: 400, body: { field: asked.split('=')[0] } })
  },
)

test('a day that Google revises appears after the next sync', { tags: ['full'] }, async ({ app, owner, read, expectAsAtGoogle }) => {
  const before = await read('?range=7d')
  await app.google.revise(site, before.period.end, { factor: 3 })
  await refresh(owner, site)
  const after = await read('?range=7d')
  expect(after.points.at(-1)?.figures?.clicks).toBeGreaterThan(before.points.at(-1)?.figures?.clicks ?? 0)
  await expectAsAtGoogle(after.points.at(-1)!)
})

test('another person’s property answers 404, and a property without a complete day null', async ({ app }) => {
  const stranger = await newPerson(app, { email: 'stranger@example.test', sites: { 'https://strange.example/': 'empty' } })
  const named = (name: string) => `/api/analytics/history?property=${encodeURIComponent(name)}`
  expect(await stranger.get(named(site))).toMatchObject({ status: 404, body: { field: 'property' } })
  expect(await stranger.get(named('https://strange.example/'))).toMatchObject({ status: 200, body: null })
  expect(await stranger.get('/api/analytics/history')).toMatchObject({ status: 200, body: null })
})

test('each search type has its own figures, those without any are left out', async ({ app, owner, read }) => {
  const { period, compared } = await read('?range=28d')
  const types = analyticsEndpoints.searchTypes.answer.parse((await owner.get('/api/analytics/search-types?range=28d')).body)
  expect(types.map(({ type }) => type)).toEqual(['web'])
  const google = await app.google.totals({ site, ...period })
  expect(types[0]).toMatchObject({ period, compared, clicks: google.total.clicks, impressions: google.total.impressions })
})
