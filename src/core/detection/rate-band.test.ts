import { describe, expect, test } from 'vitest'
import { addDays } from '../analytics/days.ts'
import { createRates } from './click-rates.ts'
import { firstRateDayOf, rateBandOf } from './rate-band.ts'

const start = '2026-01-01'
const length = 200
const queries = 8
const end = addDays(start, length - 1)
const window = { start: addDays(end, -6), end }
const from = addDays(end, -48)

/** Queries with a CTR of a tenth, give or take; the first one's is multiplied by a factor on some days. */
function ratesWith(factor: (day: number) => number, all: (day: number) => number = () => 1) {
  const days = Array.from({ length: queries }, (_, query) => {
    const impressions = Array.from({ length }, (_day, i) => 900 + ((i * 37 + query * 11) % 200))
    return {
      impressions,
      clicks: impressions.map((shown, i) =>
        Math.round(shown * (0.09 + ((i * 7 + query * 5) % 11) * 0.002) * all(i) * (query === 0 ? factor(i) : 1)),
      ),
      logPositions: impressions.map(() => Math.log(3)),
    }
  })
  const among = days.map((_, i) => i)
  return {
    rates: createRates(
      days,
      Array.from({ length }, () => true),
    ),
    among,
    start,
    length,
  }
}
const bandOf = (made: ReturnType<typeof ratesWith>, of: number | 'all' = 0) => rateBandOf({ ...made, of, window, from })

describe('the expected range of a CTR', () => {
  test('contains ordinary days, and has one for each', () => {
    const band = bandOf(ratesWith(() => 1))
    expect(band.map(({ date }) => date)).toEqual(Array.from({ length: 49 }, (_, i) => addDays(from, i)))
    for (const { low, expected, high } of band) {
      expect(low).toBeLessThan(0.09)
      expect(high).toBeGreaterThan(0.11)
      expect(expected).toBeCloseTo(0.1, 2)
    }
  })

  test("doesn't depend on later days, nor on those of its own window", () => {
    const later = length - 7
    const [quiet, fallen] = [bandOf(ratesWith(() => 1)), bandOf(ratesWith((day) => (day >= later ? 0.3 : 1)))]
    expect(fallen).toEqual(quiet)
  })

  test('leaves out the change that the others share', () => {
    const since = length - 5
    const shared = ratesWith(
      () => 1,
      (day) => (day >= since ? 0.8 : 1),
    )
    const [own, together] = [bandOf(shared).at(-1), bandOf(shared, 'all').at(-1)]
    expect(own?.expected).toBeLessThan(0.092)
    expect(together?.expected).toBeCloseTo(0.1, 2)
  })

  test('does not exist for a query without enough clicks to tell', () => {
    expect(bandOf(ratesWith(() => 0))).toEqual([])
  })
})

test.each([
  ['in the window', 3],
  ['on its first day', 7],
  ['before it', 10],
])('the first day of a change is found %s', (_where, days) => {
  const made = ratesWith((day) => (day >= length - days ? 0.5 : 1))
  expect(firstRateDayOf({ ...made, of: 0, window, direction: 'fall' })).toBe(addDays(end, 1 - days))
  const risen = ratesWith((day) => (day >= length - days ? 1.8 : 1))
  expect(firstRateDayOf({ ...risen, of: 0, window, direction: 'rise' })).toBe(addDays(end, 1 - days))
})
