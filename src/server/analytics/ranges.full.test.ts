import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { ownerAtOnce } from '../../../test/support/stored-history.ts'
import { analyticsDays, analyticsSummary } from '../../contract/analytics.ts'
import { keywords } from '../../contract/keywords.ts'
import { decay, pages } from '../../contract/pages.ts'
import { addDays } from '../../core/analytics/days.ts'

const site = 'https://ranges.example/'
const completeThrough = '2026-03-16'
const firstDay = addDays('2026-03-18', -459)

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('owner', { scope: 'file' }, ({ app }) => ownerAtOnce(app, site, { profile: 'local', days: 460 }))
  .extend(
    'ask',
    { scope: 'file' },
    ({ owner }) =>
      async (path: string) =>
        (await owner.get(path)).body,
  )

test(
  'pages and keywords of six months are the sums of their days, next to those of the six months before',
  { tags: ['full'] },
  async ({ app, ask }) => {
    const current = { start: '2025-09-17', end: completeThrough }
    const previous = { start: addDays(current.start, -181), end: addDays(current.start, -1) }
    const summary = analyticsSummary.parse(await ask('/api/analytics/summary?range=6m'))
    expect(summary).toMatchObject({ current, previous, currentFrom: current.start, previousFrom: previous.start })
    const { total } = await app.google.totals({ site, ...current })
    expect(summary.totals).toMatchObject({ clicks: total.clicks, impressions: total.impressions })
    expect(summary.comparedGrains).toContain('page')

    for (const [of, listed] of [
      ['page', pages.parse(await ask('/api/pages?range=6m&limit=1000')).map(({ page, ...row }) => ({ name: page, ...row }))],
      ['query', keywords.parse(await ask('/api/keywords?range=6m&limit=1000')).map(({ query, ...row }) => ({ name: query, ...row }))],
    ] as const) {
      const sums = new Map((await app.google.totals({ site, ...current, dims: of })).rows.map((row) => [row.keys[0], row]))
      const before = new Map((await app.google.totals({ site, ...previous, dims: of })).rows.map((row) => [row.keys[0], row]))
      expect(listed).toHaveLength(sums.size)
      for (const row of listed) {
        expect(row).toMatchObject({ clicks: sums.get(row.name)!.clicks, impressions: sums.get(row.name)!.impressions })
        expect(row.previous?.clicks).toBe(before.get(row.name)?.clicks)
      }
    }
  },
)

test('a number of days means the same in either spelling, and a range takes precedence over days', async ({ ask }) => {
  expect(await ask('/api/pages?range=28d')).toEqual(await ask('/api/pages?days=28'))
  expect(await ask('/api/pages?range=28d&days=90')).toEqual(await ask('/api/pages?days=28'))
})

test(
  'a period of more than a year shares days with the one a year earlier: they count in both',
  { tags: ['full'] },
  async ({ app, ask }) => {
    const range = `2025-03-05_${completeThrough}`
    const [top] = pages.parse(await ask(`/api/pages?range=${range}&compare=year`))
    const earlier = { start: addDays('2025-03-05', -364), end: addDays(completeThrough, -364) }
    const summary = analyticsSummary.parse(await ask(`/api/analytics/summary?range=${range}&compare=year`))
    // Not all of those days are stored: nothing is compared, rather than half a period.
    expect(summary).toMatchObject({ previous: earlier, previousTotals: null, comparedGrains: [] })
    expect(top?.previous).toBeNull()
    const lost = keywords.parse(await ask(`/api/keywords?range=${range}&compare=year&presence=lost&limit=1000`))
    const stored = await app.google.totals({ site, start: firstDay, end: earlier.end, dims: 'query' })
    const now = await app.google.totals({ site, start: '2025-03-05', end: completeThrough, dims: 'query' })
    const gone = stored.rows.filter(({ keys: [name] }) => !now.rows.some(({ keys: [each] }) => each === name))
    expect(lost.map(({ query }) => query).toSorted()).toEqual(gone.map(({ keys: [name] }) => name!).toSorted())
  },
)

test("days that aren't stored are cut off; chosen days beyond all data are empty", async ({ ask }) => {
  const of = async (range: string) => analyticsSummary.parse(await ask(`/api/analytics/summary?range=${range}&compare=none`)).current
  expect(await of('all')).toEqual({ start: firstDay, end: completeThrough })
  expect(await of('16m')).toEqual({ start: firstDay, end: completeThrough })
  expect(await of('2020-01-01_2030-01-01')).toEqual({ start: firstDay, end: completeThrough })
  for (const range of ['1990-01-01_2020-12-31', '2090-01-01_2099-12-31']) {
    expect(await ask(`/api/pages?range=${range}&compare=year`)).toEqual([])
    expect(await ask(`/api/keywords?range=${range}`)).toEqual([])
    expect(decay.parse(await ask(`/api/pages/decay?range=${range}`)).complete).toBe(false)
  }
  const { days } = analyticsDays.parse(await ask('/api/analytics/days?range=2026-01-05_2026-01-11'))
  expect(days.map(({ date }) => date)).toEqual(Array.from({ length: 7 }, (_, day) => addDays('2026-01-05', day)))
})

test('content decay covers four periods as long as the range', async ({ ask }) => {
  const { periods, complete } = decay.parse(await ask('/api/pages/decay?range=3m'))
  expect(periods.at(-1)).toEqual({ start: '2025-12-17', end: completeThrough })
  expect(periods[0]).toEqual({ start: addDays('2025-12-17', -270), end: addDays('2025-12-17', -181) })
  expect(complete).toBe(true)
})

test("a file's name includes its days, and an invalid range is refused with a message", async ({ owner }) => {
  const file = await owner.get('/api/pages/export.csv?range=6m')
  expect(file.headers.get('content-disposition')).toContain(`-pages-2025-09-17-${completeThrough}.csv`)
  for (const nonsense of ['5m', '2026-01-31_2026-01-01', '2026-02-30_2026-03-01', '0001-01-01_0001-12-31', '9999-01-01_9999-12-31']) {
    const refused = await owner.get(`/api/pages?range=${nonsense}`)
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.body)).toContain('range must be')
  }
})
