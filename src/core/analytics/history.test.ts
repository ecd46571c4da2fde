import { describe, expect, test } from 'vitest'
import { type HistoryAsked, historyGrains, type HistoryRange, historyRanges } from '../../contract/history.ts'
import { writeComparison, writeRange } from '../../contract/range.ts'
import { addDays, eachDay } from './days.ts'
import { askedPeriods, historyOf } from './history.ts'
import { chosenMetricsOf, type DayFigures } from './metrics.ts'

// A Monday.
const completeThrough = '2026-03-16'
const firstDay = '2024-11-15'

const dayOf = (date: string, clicks: number, impressions: number, position: number): DayFigures => ({
  date,
  clicks,
  impressions,
  positionSum: position * impressions,
  rankedImpressions: impressions,
})
const plain = eachDay(firstDay, completeThrough).map((date) => dayOf(date, 10, 100, 5))

/** A history of these days; all of them are stored unless `stored` says otherwise. */
function read(asked: Partial<HistoryAsked>, days: readonly DayFigures[] = plain, stored = eachDay(firstDay, completeThrough)) {
  const known = { days, stored: new Set(stored), firstDay: stored[0] ?? firstDay, completeThrough }
  return historyOf('p', known, { range: '28d', compare: 'previous', grain: 'day', ...asked })
}

describe('the period', () => {
  test.for<[HistoryRange, string, string]>([
    ['7d', '2026-03-10', completeThrough],
    ['28d', '2026-02-17', completeThrough],
    ['3m', '2025-12-17', completeThrough],
    ['12m', '2025-03-17', completeThrough],
    ['16m', '2024-11-17', completeThrough],
    ['all', firstDay, completeThrough],
    [{ start: '2026-01-01', end: '2026-01-31' }, '2026-01-01', '2026-01-31'],
    [{ start: '2020-01-01', end: '2030-01-01' }, firstDay, completeThrough],
  ])('%s', ([range, start, end]) => {
    const { period, points } = read({ range })
    expect(period).toEqual({ start, end })
    expect(points).toHaveLength(eachDay(start, end).length)
  })

  test.for<[HistoryRange, string, string]>([
    ['3m', '2026-04-30', '2026-02-01'],
    ['6m', '2026-06-30', '2026-01-01'],
    ['12m', '2025-02-28', '2024-03-01'],
    ['3m', '2026-05-29', '2026-03-01'],
    ['3m', '2026-05-31', '2026-03-01'],
  ])('%s through %s begins on %s: no day of a month more', ([range, through, start]) => {
    const known = { days: [], stored: new Set<string>(), firstDay: '2020-01-01', completeThrough: through }
    expect(historyOf('p', known, { range, compare: 'none', grain: 'day' }).period.start).toBe(start)
  })

  test('has no points if nothing of it is stored', () => {
    const range = { start: '2010-01-01', end: '2010-01-31' }
    expect(read({ range })).toMatchObject({ period: range, compared: null, points: [], previousPoints: [] })
  })
})

describe('the comparison', () => {
  test.for<[Partial<HistoryAsked>, { start: string; end: string } | null]>([
    [{}, { start: '2026-01-20', end: '2026-02-16' }],
    [{ compare: 'year' }, { start: '2025-02-18', end: '2025-03-17' }],
    [{ compare: 'none' }, null],
    // Whatever the interval, as many days.
    [
      { range: '3m', grain: 'week' },
      { start: '2025-09-18', end: '2025-12-16' },
    ],
    [
      { range: { start: '2025-03-01', end: '2025-03-31' }, grain: 'month' },
      { start: '2025-01-29', end: '2025-02-28' },
    ],
    [
      { range: { start: '2025-03-29', end: '2025-03-30' }, grain: 'month' },
      { start: '2025-03-27', end: '2025-03-28' },
    ],
    [
      { range: { start: '2026-02-01', end: '2026-02-28' }, grain: 'month', compare: 'year' },
      { start: '2025-02-02', end: '2025-03-01' },
    ],
    // Days before the first stored one aren't zeros.
    [{ range: '12m' }, null],
    [{ range: 'all', compare: 'year' }, null],
  ])('%j', ([asked, compared]) => {
    const answer = read(asked)
    expect(answer.compared).toEqual(compared)
    expect(answer.previousPoints).toHaveLength(compared === null ? 0 : answer.points.length)
  })

  test("is omitted if one of its days isn't stored", () => {
    const stored = eachDay(firstDay, completeThrough).filter((day) => day !== '2026-02-01')
    expect(read({}, plain, stored)).toMatchObject({ compared: null, previousPoints: [] })
  })

  test('with the previous year puts a Monday under a Monday', () => {
    const { points, previousPoints } = read({ range: '3m', compare: 'year', grain: 'week' })
    expect(points.map(({ start }) => addDays(start, -364))).toEqual(previousPoints.map(({ start }) => start))
  })
})

/** Every stored day alike, far enough back for any comparison. */
const flatFrom = '2022-01-01'
const flat = {
  days: eachDay(flatFrom, completeThrough).map((date) => dayOf(date, 10, 100, 5)),
  stored: new Set(eachDay(flatFrom, completeThrough)),
  firstDay: flatFrom,
  completeThrough,
}
const everyRange: HistoryRange[] = [
  ...historyRanges,
  { start: '2025-03-01', end: '2025-03-31' },
  { start: '2024-02-01', end: '2024-02-29' },
  { start: '2025-03-29', end: '2025-03-30' },
  { start: '2025-12-31', end: '2025-12-31' },
]
const everyComparison = ['previous', 'year', 'none', { start: '2024-02-10' }] as const

describe.for(everyRange.map((range) => [writeRange(range), range] as const))('a flat site over %s', ([, range]) => {
  test.for(everyComparison.flatMap((compare) => historyGrains.map((grain) => [writeComparison(compare), grain, compare] as const)))(
    'vs %s by %s has changed by 0.0%, in total and at every point',
    ([, grain, compare]) => {
      const { period, compared, points, previousPoints } = historyOf('p', flat, { range, compare, grain })
      // Nothing is stored before all days.
      const isCompared = compare !== 'none' && range !== 'all'
      expect(compared !== null).toBe(isCompared)
      const cards = chosenMetricsOf('p', flat, { current: period, previous: compared, drawn: period }, completeThrough)
      expect(cards).toMatchObject({ clicksChange: 0, impressionsChange: 0, ctrChange: 0, positionChange: 0 })
      expect(previousPoints.map(({ figures }) => figures)).toEqual(compared === null ? [] : points.map(({ figures }) => figures))
      // The days don't depend on the interval, and are those of lists, exports and the API.
      expect(compared).toEqual(historyOf('p', flat, { range, compare, grain: 'day' }).compared)
      if (compared === null) return
      expect(compared).toEqual(askedPeriods({ days: 7, range, compare }, flat).previous)
      expect([previousPoints[0]?.start, previousPoints.at(-1)?.end]).toEqual([compared.start, compared.end])
      expect(compare === 'previous' ? addDays(compared.end, 1) : period.start).toBe(period.start)
    },
  )
})

describe('points', () => {
  test('by week run from Monday to Sunday and are incomplete if the period cuts them', () => {
    const { points } = read({ range: { start: '2026-02-26', end: '2026-03-10' }, grain: 'week' })
    expect(points.map(({ start, end, complete }) => [start, end, complete])).toEqual([
      ['2026-02-26', '2026-03-01', false],
      ['2026-03-02', '2026-03-08', true],
      ['2026-03-09', '2026-03-10', false],
    ])
    expect(points.map(({ figures }) => figures?.clicks)).toEqual([40, 70, 20])
  })

  test('by month follow the calendar', () => {
    const { points } = read({ range: { start: '2026-01-01', end: '2026-03-16' }, grain: 'month' })
    expect(points.map(({ start, end, complete }) => [start, end, complete])).toEqual([
      ['2026-01-01', '2026-01-31', true],
      ['2026-02-01', '2026-02-28', true],
      ['2026-03-01', '2026-03-16', false],
    ])
  })

  test("of a week are incomplete if a day isn't stored, but not if a day was quiet", () => {
    const monday = '2026-03-02'
    const range = { start: monday, end: addDays(monday, 6) }
    const days = plain.filter(({ date }) => date !== '2026-03-04')
    expect(read({ range, grain: 'week' }, days).points).toMatchObject([{ figures: { clicks: 60 }, complete: true }])
    const stored = days.map(({ date }) => date)
    expect(read({ range, grain: 'week' }, days, stored).points).toMatchObject([{ figures: { clicks: 60 }, complete: false }])
  })

  test("of a day have no figures if nothing was shown, and are incomplete if it isn't stored", () => {
    const range = { start: '2026-03-04', end: '2026-03-04' }
    const days = plain.filter(({ date }) => date !== '2026-03-04')
    expect(read({ range }, days).points).toEqual([{ ...range, figures: null, complete: true }])
    const stored = days.map(({ date }) => date)
    expect(read({ range }, days, stored).points).toEqual([{ ...range, figures: null, complete: false }])
  })

  test('weight CTR and position by impressions instead of averaging days', () => {
    const range = { start: '2026-03-02', end: '2026-03-08' }
    const days = [dayOf('2026-03-02', 90, 900, 2), dayOf('2026-03-03', 0, 100, 12)]
    expect(read({ range, grain: 'week' }, days).points[0]?.figures).toEqual({ clicks: 90, impressions: 1_000, ctr: 0.09, position: 3 })
  })
})

describe('the days of a list', () => {
  const of = (range: HistoryRange | undefined, days: 7 | 28 | 90 = 7, compare: HistoryAsked['compare'] = 'none', from = firstDay) =>
    askedPeriods({ days, range, compare }, { firstDay: from, completeThrough })

  test('are given by a number, or by a range, which takes precedence', () => {
    expect(of(undefined, 28).current).toEqual({ start: '2026-02-17', end: completeThrough })
    expect(of('7d', 28).current).toEqual({ start: '2026-03-10', end: completeThrough })
    expect(of('90d').current).toEqual(of(undefined, 90).current)
  })

  test('are as many as their number says, stored or not; months, all days and chosen ones are limited to those stored', () => {
    expect(of('28d', 7, 'none', '2026-03-01').current.start).toBe('2026-02-17')
    for (const range of ['3m', 'all', { start: '2020-01-01', end: '2030-01-01' }] as const)
      expect(of(range, 7, 'none', '2026-03-01').current).toEqual({ start: '2026-03-01', end: completeThrough })
    const before = { start: '2020-01-01', end: '2020-01-31' }
    expect(of(before).current).toEqual(before)
  })

  test('are compared with as many days before them, or 364 days earlier', () => {
    const january = { start: '2026-01-01', end: '2026-01-31' }
    expect(of(january, 7, 'previous').previous).toEqual({ start: '2025-12-01', end: '2025-12-31' })
    expect(of(january, 7, 'year').previous).toEqual({ start: '2025-01-02', end: '2025-02-01' })
    expect(of(january).previous).toBeNull()
  })
})

test('chosen days line up with the days, weeks and months of the period, and are as many', () => {
  const days = read({ range: { start: '2026-03-02', end: '2026-03-10' }, compare: { start: '2026-01-07' }, grain: 'week' })
  expect(days.compared).toEqual({ start: '2026-01-07', end: '2026-01-15' })
  expect(days.previousPoints.map(({ start, end, complete }) => ({ start, end, complete }))).toEqual([
    { start: '2026-01-07', end: '2026-01-13', complete: true },
    { start: '2026-01-14', end: '2026-01-15', complete: false },
  ])
})
