import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, dayNumber, daysBetween, fromDayNumber } from './days.ts'
import { comparedPeriod, consecutivePeriods, lastDays, partsOf } from './periods.ts'

const current = lastDays('2026-03-15', 7)

describe('a period is compared with', () => {
  test('the days just before it', () => {
    expect(comparedPeriod(current, 7, 'previous')).toEqual({ start: '2026-03-02', end: '2026-03-08' })
  })

  test('the same days of the week a year earlier', () => {
    expect(comparedPeriod(current, 7, 'year')).toEqual({ start: '2025-03-10', end: '2025-03-16' })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }).map(fromDayNumber), (end) => {
        const year = comparedPeriod(lastDays(end, 28), 28, 'year')
        expect((dayNumber(end) - dayNumber(year?.end ?? '')) % 7).toBe(0)
      }),
    )
  })

  test('nothing', () => expect(comparedPeriod(current, 7, 'none')).toBeNull())
})

test('consecutive periods are adjacent, equally long, and end with the requested one', () => {
  const periods = consecutivePeriods(current, 7, 4)
  expect(periods.at(-1)).toEqual(current)
  expect(periods[0]?.start).toBe('2026-02-16')
  expect(periods.map(({ start, end }) => daysBetween(start, end))).toEqual([7, 7, 7, 7])
  expect(periods.slice(1).map(({ start }) => start)).toEqual(periods.slice(0, -1).map(({ end }) => addDays(end, 1)))
})

test('a period has at most a given number of parts: days, or whole weeks that end with it', () => {
  expect(partsOf({ start: '2026-03-01', end: '2026-03-03' }, 3)).toEqual(
    ['2026-03-01', '2026-03-02', '2026-03-03'].map((day) => ({ start: day, end: day })),
  )
  expect(partsOf({ start: '2026-03-01', end: '2026-03-16' }, 3)).toEqual([
    { start: '2026-03-03', end: '2026-03-09' },
    { start: '2026-03-10', end: '2026-03-16' },
  ])
  const long = partsOf({ start: '2025-01-01', end: '2026-04-30' }, 60)
  expect(long).toHaveLength(34)
  expect(long.at(-1)).toEqual({ start: '2026-04-17', end: '2026-04-30' })
})
