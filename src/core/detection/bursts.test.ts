import { describe, expect, test } from 'vitest'
import { inFull, samples } from '../../../test/support/in-full.ts'
import { detect } from './smart.ts'

// Sites that Google shows in bursts, as in Discover: days of many clicks, then weeks of none.

const start = '2024-01-01'
const year = 365
const days = 2.5 * 364

function randomFrom(seed: number) {
  let state = seed
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}

/** Bursts of all sizes at any time, each gone within days or weeks, on top of `base` clicks a day. */
function bursts(seed: number, aYear: number, size: number, base: number): number[] {
  const random = randomFrom(seed * 7_919 + 13)
  const counts = Array.from({ length: days }, () => base * (0.8 + 0.4 * random()))
  for (let day = 0; day < days; day++) {
    if (random() > aYear / year) continue
    const [peak, stays] = [size * Math.exp(3 * (random() - 0.5)), 0.3 + 0.55 * random()]
    for (let i = day; i < Math.min(days, day + 60); i++)
      counts[i] = (counts[i] as number) + peak * stays ** (i - day) * (0.8 + 0.4 * random())
  }
  return counts.map(Math.round)
}

/** On how many occasions, two weeks apart, a series alerts from index `from` on. */
function alarmsOf(counts: readonly number[], from: number): Record<'falls' | 'rises', number> {
  const { verdicts } = detect({ start, counts }, { isHoliday: () => false, sensitivity: 'normal' }, null)
  const occasions = (direction: 'fall' | 'rise') => {
    let [found, until] = [0, from]
    for (const [i, verdict] of verdicts.entries()) {
      if (i < until || !verdict[direction]?.isAlarm) continue
      found += 1
      until = i + 14
    }
    return found
  }
  return { falls: occasions('fall'), rises: occasions('rise') }
}

test.each([
  [10, 100, 0],
  ...inFull([
    [4, 5_000, 0],
    [20, 2_000, 2],
  ]),
] as const)(
  'with %i bursts a year of about %i clicks, on %i clicks a day otherwise, about one alert a year once its past is known',
  (...of) => {
    const sites = Array.from({ length: samples(3, 8) }, (_, seed) => alarmsOf(bursts(seed + 1, ...of), Math.round(1.35 * year)))
    const years = sites.length * 1.15
    const perYear = (direction: 'falls' | 'rises') => sites.reduce((sum, site) => sum + site[direction], 0) / years
    expect(perYear('falls')).toBeLessThanOrEqual(0.65)
    expect(perYear('falls') + perYear('rises')).toBeLessThanOrEqual(1)
  },
)

describe('a drop is still found', () => {
  const steady = (day: number) => 1_000 + ((day * 7_919) % 13) * 10
  const found = (factor: (day: number) => number, length: number) =>
    detect(
      { start, counts: Array.from({ length }, (_, day) => Math.round(steady(day) * factor(day))) },
      { isHoliday: () => false, sensitivity: 'normal' },
      null,
    ).verdicts.at(-1)?.fall?.isAlarm

  test('on a site that has a burst now and then, but a usual level', () => {
    const isBurst = (day: number) => day < 280 && day % 40 < 3
    expect(found((day) => (day >= 300 ? 0.4 : isBurst(day) ? 8 : 1), 305)).toBe(true)
  })

  test('on a site that was small until some months ago', () => {
    expect(found((day) => (day >= 300 ? 0.1 : day < 150 ? 0.02 : 1), 305)).toBe(true)
  })

  test('on a site that has been down three times before, for ten days each', () => {
    const isDown = (day: number) => [60, 130, 220].some((first) => first <= day && day < first + 10)
    expect(found((day) => (day >= 300 || isDown(day) ? 0.01 : 1), 303)).toBe(true)
  })
  // A viral week between two small stretches looks like bursts, and so does each of two seasons.
  test.each([
    [40, 0.03],
    [40, 0.5],
    [200, 0.03],
    [200, 0.5],
  ])('on a site that grew after a viral week, %i days later, down to %f', (after, left) => {
    const grew = 200
    const level = (day: number) => (day >= 120 && day < 127 ? 0.6 : day < grew ? 0.1 : 1)
    expect(found((day) => level(day) * (day >= grew + after ? left : 1), grew + after + 5)).toBe(true)
  })

  const seasons = (day: number) => {
    const ofYear = day % year
    return ofYear >= 10 && ofYear < 110 ? 1 : ofYear >= 275 && ofYear < 300 ? 0.7 : 0.1
  }
  test.each([0.03, 0.5, 0.7])('on a site with two seasons a year, in the main one, down to %f', (left) => {
    const at = 2 * year + 70
    expect(found((day) => seasons(day) * (day >= at ? left : 1), at + 5)).toBe(true)
  })

  test('on a site that has been down four times before, for eight days each, once it lasts longer', () => {
    const isDown = (day: number) => [100, 190, 280, 370].some((first) => first <= day && day < first + 8)
    expect(found((day) => (day >= 460 || isDown(day) ? 0.03 : 1), 476)).toBe(true)
  })

  test('on one with two seasons, if less is left than between them', () => {
    const at = 2 * year + 30
    expect(found((day) => seasons(day) * (day >= at ? 0.01 : 1), at + 5)).toBe(true)
  })

  test('but the end of a season is none', () => {
    expect(found(seasons, 2 * year + 115)).toBe(false)
  })
})
