import { expect, test } from 'vitest'
import type { TodaySoFar } from '../../../contract/today.ts'
import { barsOfToday, figureOfToday, nextLook, pacificTime } from './today-figures.ts'

const ofHour = (hour: number, clicks: number, incomplete = false): TodaySoFar['hours'][number] => ({
  at: `2026-03-18T${String(hour + 7).padStart(2, '0')}:00:00.000Z`,
  hour,
  clicks,
  impressions: clicks * 10,
  incomplete,
  yesterday: null,
  usual: hour === 1 ? null : { clicks: 8, impressions: 80 },
})
const today: TodaySoFar = {
  property: 'sc-domain:lamps.example',
  date: '2026-03-18',
  preliminary: true,
  hours: [ofHour(0, 4), ofHour(1, 6), ofHour(2, 1, true)],
  clicks: 11,
  impressions: 110,
  through: '2026-03-18T10:00:00.000Z',
  complete: {
    clicks: 10,
    impressions: 100,
    through: '2026-03-18T09:00:00.000Z',
    yesterday: null,
    usual: { clicks: 16, impressions: 0, weeks: 2 },
  },
  syncedAt: '2026-03-18T17:10:00.000Z',
}

test('a figure covers complete hours, compared with what is usual by then, and from zero there is no percentage', () => {
  expect(figureOfToday(today, 'clicks')).toEqual({ value: 10, usual: 16, change: -37.5, incomparable: null })
  expect(figureOfToday(today, 'impressions')).toEqual({ value: 100, usual: 0, change: null, incomparable: null })
  expect(figureOfToday({ ...today, complete: null }, 'clicks')).toBeNull()
})

test('a week after Google began to count impressions differently there is no change in them, but a reason', () => {
  const later = { ...today, date: '2026-05-02', complete: { ...today.complete!, usual: { clicks: 16, impressions: 200, weeks: 2 } } }
  expect(figureOfToday(later, 'impressions')).toEqual({
    value: 100,
    usual: 200,
    change: null,
    incomparable: 'Google counted this differently on some of these days',
  })
  expect(figureOfToday(later, 'clicks')).toMatchObject({ change: -37.5, incomparable: null })
})

test('the chart has a place for every hour of the day', () => {
  const bars = barsOfToday(today, 'impressions')
  expect(bars.map((bar) => bar.hour)).toEqual(Array.from({ length: 24 }, (_, at) => at))
  expect(bars.slice(0, 4)).toEqual([
    { hour: 0, value: 40, usual: 80, incomplete: false },
    { hour: 1, value: 60, usual: null, incomplete: false },
    { hour: 2, value: 10, usual: 80, incomplete: true },
    { hour: 3, value: null, usual: null },
  ])
})

test('on the days the clocks change, the chart has only the hours there are', () => {
  const none = { hours: [], complete: null }
  const hoursOf = (date: string) => barsOfToday({ ...today, ...none, date }, 'clicks').map(({ hour }) => hour)
  expect([hoursOf('2026-03-08').slice(0, 4), hoursOf('2026-03-08').length]).toEqual([[0, 1, 3, 4], 23])
  expect([hoursOf('2026-11-01').slice(0, 4), hoursOf('2026-11-01').length]).toEqual([[0, 1, 1, 2], 25])
})

test("times are California's, and the next check is never in the past", () => {
  expect([pacificTime('2026-03-18T21:00:00.000Z'), pacificTime('2026-03-19T07:00:00.000Z')]).toEqual(['14:00', '24:00'])
  expect(nextLook(today, new Date('2026-03-18T17:20:00.000Z')).toISOString()).toBe('2026-03-18T18:10:00.000Z')
  expect(nextLook(today, new Date('2026-03-18T20:00:00.000Z')).toISOString()).toBe('2026-03-18T20:00:00.000Z')
})
