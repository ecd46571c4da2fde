import { expect, test } from 'vitest'
import type { History } from '../../../contract/history.ts'
import { trendDaysOf } from './trend-days.ts'

const figures = { clicks: 4, impressions: 80, ctr: 0.05, position: 7 }
const point = (date: string, stored = true, shown = true) => ({ start: date, end: date, complete: stored, figures: shown ? figures : null })

const history: History = {
  property: 'sc-domain:a.example',
  period: { start: '2026-03-14', end: '2026-03-16' },
  compared: { start: '2026-03-11', end: '2026-03-13' },
  grain: 'day',
  points: [point('2026-03-14', false, false), point('2026-03-15'), point('2026-03-16', true, false)],
  previousPoints: [point('2026-03-11'), point('2026-03-12'), point('2026-03-13')],
  expectedClicks: [],
  firstDay: '2026-03-11',
  completeThrough: '2026-03-16',
}

test('a day that is not stored is not one without impressions', () => {
  expect(trendDaysOf(history)).toEqual({
    current: history.period,
    previous: history.compared,
    completeThrough: '2026-03-16',
    days: [{ date: '2026-03-15', ...figures }],
    previousDays: ['2026-03-11', '2026-03-12', '2026-03-13'].map((date) => ({ date, ...figures })),
    gaps: [{ start: '2026-03-14', end: '2026-03-14' }],
    previousGaps: [],
  })
})

test('without a comparison there are no days to compare with', () => {
  expect(trendDaysOf({ ...history, compared: null, previousPoints: [] })).toMatchObject({
    previous: null,
    previousDays: [],
    previousGaps: [],
  })
})
