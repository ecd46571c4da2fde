import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '../../core/analytics/days.ts'
import { dateTicks } from './date-axis.ts'

const labels = (start: string, end: string, most: number) => dateTicks(start, end, most).map(({ label }) => label)

describe('the date axis', () => {
  test('shows every day if there is room', () => {
    expect(labels('2026-03-09', '2026-03-12', 6)).toEqual(['9 Mar', '10 Mar', '11 Mar', '12 Mar'])
  })

  test('every second day ends with the last one', () => {
    expect(labels('2026-03-09', '2026-03-14', 4)).toEqual(['10 Mar', '12 Mar', '14 Mar'])
  })

  test('weeks start on a Monday', () => {
    // 2 March 2026 is a Monday.
    expect(labels('2026-02-01', '2026-03-18', 8)).toEqual(['2 Feb', '9 Feb', '16 Feb', '23 Feb', '2 Mar', '9 Mar', '16 Mar'])
    expect(labels('2026-02-01', '2026-03-18', 4)).toEqual(['2 Feb', '16 Feb', '2 Mar', '16 Mar'])
  })

  test('a week with little room has more than its Monday', () => {
    expect(labels('2026-11-18', '2026-11-24', 3)).toEqual(['18 Nov', '21 Nov', '24 Nov'])
    expect(labels('2026-11-18', '2026-11-24', 2)).toEqual(['19 Nov', '24 Nov'])
    expect(labels('2026-11-18', '2026-11-24', 1)).toEqual(['23 Nov'])
  })

  test('a long time is shown by months, with the year where it changes', () => {
    expect(labels('2025-10-15', '2026-03-18', 5)).toEqual(['1 Nov', '1 Dec', '1 Jan 2026', '1 Feb', '1 Mar'])
    expect(labels('2024-11-20', '2026-03-18', 4)).toEqual(['1 Jan 2025', '1 Jul', '1 Jan 2026'])
  })

  test('is never crowded, and always within', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 14 }), (days, most) => {
        const end = addDays('2025-01-15', days)
        const ticks = dateTicks('2025-01-15', end, most)
        expect(ticks.length).toBeLessThanOrEqual(most)
        expect(ticks.length).toBeGreaterThan(0)
        expect(ticks.every(({ date }) => date >= '2025-01-15' && date <= end)).toBe(true)
      }),
    )
  })
})
