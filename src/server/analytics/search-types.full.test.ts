import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { newPerson } from '../../../test/support/people.ts'
import { storeHistory, watch } from '../../../test/support/stored-history.ts'
import { hasPosition, type SearchType } from '../../contract/common.ts'
import { apiKeyMade } from '../../contract/api-keys.ts'
import { apiMetrics } from '../../contract/api-v1/figures.ts'
import { explored } from '../../contract/explore/explore.ts'
import type { Saved } from '../../contract/explore/saved.ts'
import { history } from '../../contract/history.ts'
import { metrics, metricsRead, type Period } from '../../contract/metrics.ts'
import { addDays, eachDay } from '../../core/analytics/days.ts'

// The dashboard's cards and chart in each search type: the explorer's figures, which are Google's.

const [site, pictures] = ['https://types.example/', 'https://pictures.example/']
const siteOf = { discover: site, googleNews: site, image: pictures }
const types = ['discover', 'googleNews', 'image'] as const
type Type = (typeof types)[number]
const today = '2026-03-18'

const test = appTest({ today, demo: false })
  .extend('owner', { scope: 'file' }, async ({ app }) => {
    const owner = await newPerson(app, { sites: { [site]: 'blog', [pictures]: 'shop' }, plan: 'agency' })
    // It has no news.
    await storeHistory(app, site, { days: 40, types: ['discover', 'web', 'googleNews', 'news'] })
    await storeHistory(app, pictures, { days: 22, types: ['web', 'image'] })
    await watch(app, site)
    return owner
  })
  .extend(
    'atGoogle',
    { scope: 'file' },
    ({ app }) =>
      async (type: Type, { start, end }: Period) =>
        (await app.google.totals({ site: siteOf[type], start, end, type })).total,
  )

test.for(types)('cards and chart of %s equal Google’s and the explorer’s, on the same days', async (type, { owner, atGoogle }) => {
  const asked = `property=${encodeURIComponent(siteOf[type])}&type=${type}&range=7d&grain=week`
  const card = metricsRead.parse((await owner.get(`/api/metrics?${asked}`)).body)
  const chart = history.parse((await owner.get(`/api/analytics/history?${asked}`)).body)
  const [now, before] = [await atGoogle(type, chart.period), await atGoogle(type, chart.compared!)]
  expect(now.impressions).toBeGreaterThan(0)
  expect(card).toMatchObject({
    current: chart.period,
    previous: chart.compared,
    clicks: now.clicks,
    impressions: now.impressions,
    clicksPrevious: before.clicks,
    impressionsPrevious: before.impressions,
  })
  expect(card.position).toBeCloseTo(hasPosition(type) ? now.position! : 0, 8)
  for (const { start, end, figures } of [...chart.points, ...chart.previousPoints]) {
    const { clicks, impressions } = await atGoogle(type, { start, end })
    expect({ start, clicks: figures?.clicks ?? 0, impressions: figures?.impressions ?? 0 }).toEqual({ start, clicks, impressions })
  }
  const { propertyTotals } = explored.parse((await owner.get(`/api/explore?${asked}&by=country`)).body)
  expect(propertyTotals).toMatchObject({ clicks: card.clicks, impressions: card.impressions, previous: { clicks: card.clicksPrevious } })
})

test.for(types)('without chosen days, the cards of %s are the last 7 days, with daily values of 28', async (type, { owner, atGoogle }) => {
  const card = metrics.parse((await owner.get(`/api/metrics?property=${encodeURIComponent(siteOf[type])}&type=${type}`)).body)
  const { clicks, impressions } = await atGoogle(type, card.current)
  expect(card).toMatchObject({ clicks, impressions })
  expect(eachDay(card.current.start, card.current.end)).toHaveLength(7)
  expect(card.dates).toEqual(eachDay(addDays(card.current.end, -27), card.current.end).slice(-card.dates.length))
})

test('the API has the same figures', async ({ app, owner }) => {
  const { key } = apiKeyMade.parse((await owner.send('POST', '/api/keys', { name: 'Figures', scope: 'read', days: null })).body)
  const program = app.visitor()
  for (const type of types) {
    const asked = `property=${encodeURIComponent(siteOf[type])}&type=${type}`
    const { data } = apiMetrics.parse((await program.get(`/api/v1/metrics?${asked}`, { headers: { authorization: `Bearer ${key}` } })).body)
    expect(data).toEqual(metrics.parse((await owner.get(`/api/metrics?${asked}`)).body))
  }
})

test('by day, each search type has the clicks expected from its own past', async ({ owner }) => {
  const expected = async (type: SearchType) =>
    history.parse((await owner.get(`/api/analytics/history?range=28d&type=${type}`)).body).expectedClicks
  const [web, discover] = [await expected('web'), await expected('discover')]
  expect(web.length).toBeGreaterThan(0)
  expect(discover).not.toEqual(web)
})

test('a segment of pages applies to Discover; one of queries is refused, as it has none', async ({ owner, app }) => {
  const segment = async (name: string, content: string): Promise<string> =>
    ((await owner.send('POST', '/api/explore/saved', { kind: 'segment', name, content })).body as Saved).id
  const period = { start: '2026-03-10', end: '2026-03-16' }
  const { rows } = await app.google.totals({ site, ...period, dims: 'page', type: 'discover' })
  const { keys, clicks, impressions } = rows.toSorted((a, b) => b.clicks - a.clicks)[0]!
  const ofPage = await segment('One page', `page is ${keys[0]}`)
  const asked = `type=discover&range=7d&grain=week&segment=${ofPage}`
  expect((await owner.get(`/api/metrics?${asked}`)).body).toMatchObject({ clicks, impressions })
  const { points } = history.parse((await owner.get(`/api/analytics/history?${asked}`)).body)
  expect(points.reduce((sum, { figures }) => sum + (figures?.clicks ?? 0), 0)).toBe(clicks)
  expect((await owner.get(`/api/metrics?type=discover&segment=${ofPage}`)).body).toMatchObject({ current: period, clicks, impressions })

  const ofQueries = await segment('Queries', 'query contains a')
  for (const path of ['/api/metrics', '/api/analytics/history']) {
    expect(await owner.get(`${path}?type=discover&segment=${ofQueries}`)).toMatchObject({
      status: 400,
      body: { field: 'segment', message: 'Discover has no data for keywords' },
    })
  }
})

test('a search type without any impressions answers null, an unknown one is refused', async ({ owner }) => {
  for (const path of ['/api/metrics', '/api/analytics/history']) {
    for (const days of ['', '&range=3m']) {
      expect(await owner.get(`${path}?type=news${days}`)).toMatchObject({ status: 200, body: null })
    }
    expect(await owner.get(`${path}?type=maps`)).toMatchObject({ status: 400, body: { field: 'type' } })
  }
})

test('weeks without any impressions in a search type are zeros if it had some before', { tags: ['full'] }, async ({ app }) => {
  const quiet = 'https://no-longer-in-discover.example/'
  const person = await newPerson(app, { email: 'quiet@example.test', sites: { [quiet]: 'blog' } })
  for (const day of eachDay(addDays(today, -35), today)) await app.google.revise(quiet, day, { type: 'discover', rows: 0 })
  await storeHistory(app, quiet, { days: 60, types: ['web', 'discover'] })
  await watch(app, quiet)
  expect((await person.get('/api/metrics?type=discover')).body).toMatchObject({ clicks: 0, impressions: 0, dates: [] })
})
