import { describe, expect, test } from 'vitest'
import { addDays } from '../../analytics/days.ts'
import { firstPlaceDayOf, placeBandOf } from './place-band.ts'

const start = '2026-01-01'
const length = 180
const end = addDays(start, length - 1)
const window = { start: addDays(end, -6), end }
const from = addDays(end, -48)

/** A position of about five, with a change from some day on; a day may be unknown. */
const placed = (change: (day: number) => number, isKnown: (day: number) => boolean = () => true) => ({
  start,
  days: Array.from({ length }, (_, i) => {
    const impressions = 100 + (i % 7) * 10
    const place = 5 + ((i * 13) % 7) * 0.1 - 0.3 + change(i)
    return isKnown(i) ? { clicks: 9, impressions, positionSum: place * impressions, rankedImpressions: impressions } : null
  }),
})

describe('the expected range of a position', () => {
  test('contains ordinary days, and has one for each', () => {
    const band = placeBandOf(
      placed(() => 0),
      window,
      from,
    )
    expect(band).toHaveLength(49)
    for (const { low, high, expected } of band) {
      expect(low).toBeLessThanOrEqual(4.7)
      expect(high).toBeGreaterThanOrEqual(5.3)
      expect(expected).toBeCloseTo(5, 1)
    }
  })

  test("doesn't depend on later days, nor on those of its own week", () => {
    const fallen = placed((day) => (day >= length - 7 ? 6 : 0))
    expect(placeBandOf(fallen, window, from)).toEqual(
      placeBandOf(
        placed(() => 0),
        window,
        from,
      ),
    )
  })

  test('rests on whole weeks, and does not exist without four of them', () => {
    const short = placed(
      () => 0,
      (day) => day >= length - 30,
    )
    expect(placeBandOf(short, window, from)).toEqual([])
  })
})

test.each([3, 7, 12])('the first day of a change is found, %i days ago', (days) => {
  const since = (change: number) => placed((day) => (day >= length - days ? change : 0))
  expect(firstPlaceDayOf(since(4), window, 'fall')).toBe(addDays(end, 1 - days))
  expect(firstPlaceDayOf(since(-2), window, 'rise')).toBe(addDays(end, 1 - days))
})
