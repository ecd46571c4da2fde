import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { newPerson, refresh, select } from '../../../test/support/people.ts'
import { ownerAtOnce, watchedAtOnce } from '../../../test/support/stored-history.ts'
import { analyticsSummary } from '../../contract/analytics.ts'
import { type History, history, historyGrains } from '../../contract/history.ts'
import { metrics, type Metrics, type MetricsRead, metricsRead, type Period } from '../../contract/metrics.ts'
import { addDays } from '../../core/analytics/days.ts'

const site = 'https://cards.example/'

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('owner', { scope: 'file' }, ({ app }) => ownerAtOnce(app, site, { profile: 'local', days: 40 }))
  .extend(
    'cards',
    { scope: 'file' },
    ({ owner }) =>
      async (query = ''): Promise<Metrics> =>
        metrics.parse((await owner.get(`/api/metrics${query}`)).body),
  )
  .extend(
    'atGoogle',
    { scope: 'file' },
    ({ app }) =>
      async (span: { start: string; end: string }) =>
        (await app.google.totals({ site, ...span })).total,
  )

test('the last 7 complete days compared with the 7 before, exact to the last click', async ({ app, cards, atGoogle }) => {
  const answer = await cards()
  const { finalDate } = (await app.google.call('GET', `totals?site=${encodeURIComponent(site)}&start=2026-03-18&end=2026-03-18`)) as {
    finalDate: string
  }
  expect(answer.completeThrough).toBe(finalDate)
  expect(answer.current).toEqual({ start: addDays(finalDate, -6), end: finalDate })
  expect(answer.previous).toEqual({ start: addDays(finalDate, -13), end: addDays(finalDate, -7) })

  const now = await atGoogle(answer.current)
  const before = await atGoogle(answer.previous)
  expect(answer).toMatchObject({
    clicks: now.clicks,
    impressions: now.impressions,
    clicksPrevious: before.clicks,
    impressionsPrevious: before.impressions,
  })
  expect(answer.ctr).toBeCloseTo(now.clicks / now.impressions, 12)
  expect(answer.position).toBeCloseTo(now.position!, 8)
  expect(answer.ctrPrevious).toBeCloseTo(before.clicks / before.impressions, 12)
  expect(answer.positionPrevious).toBeCloseTo(before.position!, 8)
  expect(answer.clicksChange).toBeCloseTo(((now.clicks - before.clicks) / before.clicks) * 100, 8)
  expect(answer.positionChange).toBeCloseTo(((now.position! - before.position!) / before.position!) * 100, 6)
})

test('the sparklines are the daily values, oldest first, without the unfinished days', async ({ app, cards }) => {
  const answer = await cards()
  const days = (await app.google.totals({ site, start: addDays(answer.completeThrough, -27), end: answer.completeThrough, dims: 'date' }))
    .rows
  expect(answer.dates).toEqual(days.map((day) => day.keys[0]))
  expect(answer.clicksData).toEqual(days.map((day) => day.clicks))
  expect(answer.impressionsData).toEqual(days.map((day) => day.impressions))
  expect(answer.ctrData).toHaveLength(28)
  expect(answer.positionData).toHaveLength(28)
})

test.for([
  'range=2026-02-24_2026-03-09',
  'range=all',
  'range=7d&compare=none',
  'range=28d&compare=2026-02-12',
  'range=7d&compare=year',
  'range=28d',
])(
  'with %s, the cards are the sums of the chart that has the same days, and of its comparison, at every interval',
  async (asked, { owner, atGoogle }) => {
    const card = metricsRead.parse((await owner.get(`/api/metrics?${asked}`)).body)
    const charts = await Promise.all(
      historyGrains.map(async (grain) => history.parse((await owner.get(`/api/analytics/history?${asked}&grain=${grain}`)).body)),
    )
    for (const chart of charts) await expectSums(card, chart, atGoogle)
  },
)

async function expectSums(
  card: MetricsRead,
  { period, compared, points, previousPoints }: History,
  atGoogle: (span: Period) => Promise<{ clicks: number; impressions: number; position?: number | undefined }>,
) {
  const sum = (of: typeof points, key: 'clicks' | 'impressions') => of.reduce((total, { figures }) => total + (figures?.[key] ?? 0), 0)
  const now = await atGoogle(period)
  expect(card).toMatchObject({ current: period, previous: compared, clicks: now.clicks, impressions: now.impressions })
  expect([card.clicks, card.impressions]).toEqual([sum(points, 'clicks'), sum(points, 'impressions')])
  expect(card.position).toBeCloseTo(now.position!, 8)
  expect([card.clicksPrevious, card.impressionsPrevious]).toEqual(
    compared === null ? [null, null] : [sum(previousPoints, 'clicks'), sum(previousPoints, 'impressions')],
  )
  expect([card.dates?.[0], card.dates?.at(-1)]).toEqual([period.start, period.end])
}

test('chosen days without data are zeros, not a missing answer', async ({ owner }) => {
  expect((await owner.get('/api/metrics?range=2020-01-01_2020-01-31')).body).toMatchObject({ clicks: 0, dates: [], previous: null })
  expect(await owner.get('/api/metrics?range=30d')).toMatchObject({ status: 400, body: { field: 'range' } })
})

test("totals are the property's: anonymized queries count", async ({ app, cards }) => {
  const { current, clicks } = await cards()
  const named = await app.google.totals({ site, ...current, dims: 'query' })
  expect(clicks).toBeGreaterThan(named.total.clicks)
})

test('a day that Google revises appears right after the next sync', async ({ app, owner, cards, atGoogle }) => {
  const before = await cards()
  await app.google.revise(site, before.current.end, { factor: 2 })
  await refresh(owner, site)
  const after = await cards()
  expect(after.clicks).toBeGreaterThan(before.clicks)
  expect(after.clicks).toBe((await atGoogle(after.current)).clicks)
})

test('a day without data is omitted from the sparklines and counts as nothing', { tags: ['full'] }, async ({ app }) => {
  const quiet = 'https://quiet-day.example/'
  const owner = await ownerAtOnce(app, quiet, { profile: 'local', days: 40, email: 'quiet@example.test' })
  const cards = async () => metrics.parse((await owner.get('/api/metrics')).body)
  const { current } = await cards()
  await app.google.setRows(quiet, current.end, [])
  await refresh(owner, quiet)
  const answer = await cards()
  expect(answer.dates).not.toContain(current.end)
  expect(answer.clicksData).toHaveLength(27)
  expect(answer.clicks).toBe((await app.google.totals({ site: quiet, ...current })).total.clicks)
})

test("days before a site's first data aren't zeros: nothing is compared with them", { tags: ['full'] }, async ({ app }) => {
  const young = 'https://young.example/'
  const person = await newPerson(app, { email: 'young@example.test', sites: { [young]: 'empty' } })
  const row = { query: 'lamps', page: young, clicks: 10, impressions: 100, position: 3 }
  // The site began on a Saturday, in the middle of the week before.
  await app.google.setDays(young, { from: '2026-03-07', to: '2026-03-18' }, [row])
  await watchedAtOnce(app, young, { days: 40 })
  const ask = async (path: string) => (await person.get(path)).body
  expect(metrics.parse(await ask('/api/metrics'))).toMatchObject({
    current: { start: '2026-03-10', end: '2026-03-16' },
    clicks: 70,
    clicksPrevious: null,
    clicksChange: 0,
    positionPrevious: null,
  })
  expect(analyticsSummary.parse(await ask('/api/analytics/summary'))).toMatchObject({ previousTotals: null, comparedGrains: [] })
  expect(await ask('/api/pages')).toMatchObject([{ clicks: 70, previous: null }])
  // From then on, a day without data is one without impressions.
  await app.google.setDays(young, { from: '2026-03-03', to: '2026-03-03' }, [row])
  await refresh(person, young)
  expect(metrics.parse(await ask('/api/metrics'))).toMatchObject({ clicks: 70, clicksPrevious: 40, clicksChange: 75 })
})

test(
  'a site that Google no longer shows has zeros, not a missing answer, and so has its row in all sites',
  { tags: ['full'] },
  async ({ app }) => {
    const gone = 'https://gone.example/'
    const person = await newPerson(app, { email: 'gone@example.test', sites: { [gone]: 'empty' } })
    const row = { query: 'lamps', page: gone, clicks: 10, impressions: 100, position: 3 }
    const from = '2026-01-10'
    for (const [to, clicksPrevious] of [
      ['2026-03-09', 70],
      ['2026-02-10', 0],
    ] as const) {
      await app.google.setDays(gone, { from, to: '2026-03-18' }, [])
      await app.google.setDays(gone, { from, to }, [row])
      await (to === '2026-03-09' ? watchedAtOnce(app, gone, { days: 70 }) : refresh(person, gone))
      const zeros = { clicks: 0, clicksPrevious, impressions: 0, impressionsPrevious: clicksPrevious * 10 }
      for (const asked of ['', '?range=7d&compare=previous', '?range=7d&compare=year'])
        expect((await person.get(`/api/metrics${asked}`)).body).toMatchObject(asked.endsWith('year') ? { clicks: 0 } : zeros)
      expect((await person.get('/api/sites')).body).toMatchObject([{ metrics: zeros }])
    }
  },
)

test("a property can be specified; another person's answers 404", async ({ app, owner, cards }) => {
  expect(await cards(`?property=${encodeURIComponent(site)}`)).toEqual(await cards())
  const stranger = await newPerson(app, { email: 'stranger@example.test', sites: { 'https://strange.example/': 'empty' } })
  expect(await stranger.get(`/api/metrics?property=${encodeURIComponent(site)}`)).toMatchObject({
    status: 404,
    body: { field: 'property' },
  })
  expect((await owner.get('/api/metrics?property=https%3A%2F%2Fstrange.example%2F')).status).toBe(404)
})

test('without a selected property, or any data for it yet, the answer is null', async ({ app }) => {
  const person = await newPerson(app, { email: 'new@example.test', sites: { 'https://new.example/': 'empty' } })
  expect(await person.get('/api/metrics')).toMatchObject({ status: 200, body: null })
  await app.google.fail({ error: 'loadQuota', times: 1000, kind: 'query' })
  await select(person, 'https://new.example/')
  expect(await person.get('/api/metrics')).toMatchObject({ status: 200, body: null })
  await app.google.stopFailing()
})
