import { expect, test } from 'vitest'
import { eachDay } from '../../../core/analytics/days.ts'
import { dateRows } from './dates.ts'

test('the interval changes no total: a week at the edge without clicks keeps its compared days (decision 0116)', async () => {
  const all = eachDay('2026-02-01', '2026-03-20')
  // Nothing on the first two days of the period, a Saturday and a Sunday.
  const days = all
    .filter((date) => date !== '2026-03-07' && date !== '2026-03-08')
    .map((date) => ({ date, clicks: 10, impressions: 100, positionSum: 300, rankedImpressions: 100 }))
  const known = { days, stored: new Set(all), firstDay: '2026-02-01', completeThrough: '2026-03-20' }
  const compared = { start: '2026-02-21', end: '2026-03-06' }
  for (const [grain, count] of [
    ['day', 14],
    ['week', 3],
    ['month', 1],
  ] as const) {
    const range = { start: '2026-03-07', end: '2026-03-20' }
    const rows = dateRows(known, { range, compare: 'previous', grain, sort: 'name', order: 'asc', compared, where: [] })
    expect(await rows.first(100)).toMatchObject({ count, totals: { clicks: 120, previous: { clicks: 140 } } })
  }
})

test('a week of which no day is stored has no row', async () => {
  const stored = eachDay('2026-03-09', '2026-03-20')
  const days = stored.map((date) => ({ date, clicks: 10, impressions: 100, positionSum: 300, rankedImpressions: 100 }))
  const known = { days, stored: new Set(stored), firstDay: '2026-02-01', completeThrough: '2026-03-20' }
  const range = { start: '2026-03-07', end: '2026-03-20' }
  const rows = dateRows(known, { range, compare: 'none', grain: 'week', sort: 'name', order: 'asc', compared: null, where: [] })
  expect((await rows.first(100)).rows.map(({ name }) => name)).toEqual(['2026-03-09', '2026-03-16'])
})
