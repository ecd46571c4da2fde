import { expect, test } from 'vitest'
import type { AnalyticsDays } from '../../../../contract/analytics.ts'
import { detailChart } from './detail-chart.ts'

const day = (date: string, clicks: number, position: number) => ({ date, clicks, impressions: 100, ctr: clicks / 100, position })
const days: Omit<AnalyticsDays, 'cutOffDays'> = {
  current: { start: '2026-03-09', end: '2026-03-11' },
  previous: { start: '2026-03-06', end: '2026-03-08' },
  completeThrough: '2026-03-11',
  days: [day('2026-03-09', 4, 2), day('2026-03-11', 6, 4)],
  previousDays: [day('2026-03-08', 1, 9)],
  gaps: [],
  previousGaps: [{ start: '2026-03-06', end: '2026-03-06' }],
}

test('both periods line up, day by day, with gaps for zero or unknown days', () => {
  const { series } = detailChart('clicks', days)
  expect(series).toEqual([
    {
      label: '9–11 Mar',
      isDays: true,
      points: [
        { date: '2026-03-09', value: 4, complete: true },
        { date: '2026-03-10', value: null, complete: true },
        { date: '2026-03-11', value: 6, complete: true },
      ],
    },
    {
      label: '6–8 Mar',
      isDays: true,
      muted: true,
      shift: 3,
      points: [
        { date: '2026-03-06', value: null, complete: false },
        { date: '2026-03-07', value: null, complete: true },
        { date: '2026-03-08', value: 1, complete: true },
      ],
    },
  ])
})

test('the description covers both periods', () => {
  expect(detailChart('position', days).summary).toBe('Average position by day. 9–11 Mar 2026: 3.0; 6–8 Mar 2026: 9.0.')
  expect(detailChart('clicks', { ...days, previousDays: [] }).summary).toBe('Clicks by day. 9–11 Mar 2026: 10; 6–8 Mar 2026: none.')
})

test('without a comparison there is one line', () => {
  const { series, summary } = detailChart('ctr', { ...days, previous: null, previousDays: [] })
  expect(series.map(({ label }) => label)).toEqual(['9–11 Mar'])
  expect(summary).toBe('CTR by day. 9–11 Mar 2026: 5.00%.')
})

test('a day without a known position has none', () => {
  const { series } = detailChart('position', { ...days, days: [day('2026-03-09', 4, 0)] })
  expect(series[0]?.points[0]?.value).toBeNull()
})

test('by week, points are the sums of their days, and a week only partly in the period is incomplete', () => {
  // From a Friday to a Tuesday.
  const weeks = {
    ...days,
    current: { start: '2026-03-06', end: '2026-03-17' },
    previous: { start: '2026-02-22', end: '2026-03-05' },
    completeThrough: '2026-03-17',
    days: [day('2026-03-06', 1, 2), day('2026-03-08', 2, 4), day('2026-03-09', 4, 2), day('2026-03-15', 8, 6)],
    previousDays: [day('2026-02-24', 3, 5)],
    previousGaps: [],
  }
  const { title, summary, series } = detailChart('clicks', weeks, 'week')
  expect([title, summary]).toEqual(['Clicks by week', 'Clicks by week. 6–17 Mar 2026: 15; 22 Feb–5 Mar 2026: 3.'])
  expect(series[0]?.points).toEqual([
    { date: '2026-03-06', end: '2026-03-08', value: 3, complete: false },
    { date: '2026-03-09', end: '2026-03-15', value: 12, complete: true },
    { date: '2026-03-16', end: '2026-03-17', value: null, complete: false },
  ])
  expect(series[1]?.points[0]).toEqual({
    date: '2026-03-06',
    end: '2026-03-08',
    of: { start: '2026-02-22', end: '2026-02-24' },
    value: 3,
    complete: false,
  })
  // Positions are weighted by impressions, 100 each.
  expect(detailChart('position', weeks, 'week').series[0]?.points.map(({ value }) => value)).toEqual([3, 4, null])
})

test('a missing day has no data, rather than no impressions, and its week is incomplete', () => {
  const weeks = {
    ...days,
    current: { start: '2026-03-02', end: '2026-03-15' },
    previous: null,
    completeThrough: '2026-03-15',
    days: [day('2026-03-02', 4, 2), day('2026-03-09', 4, 2)],
    previousDays: [],
    gaps: [{ start: '2026-03-04', end: '2026-03-06' }],
  }
  expect(detailChart('clicks', weeks, 'week').series[0]?.points.map(({ value, complete }) => [value, complete])).toEqual([
    [4, false],
    [4, true],
  ])
  const byDay = detailChart('clicks', weeks).series[0]?.points ?? []
  expect(byDay.flatMap(({ date, complete }) => (complete ? [] : [date]))).toEqual(['2026-03-04', '2026-03-05', '2026-03-06'])
})
