import { expect, test } from 'vitest'
import { noSums, type Sums } from '../figures.ts'
import { expectedValueOf } from './expected-value.ts'

// What an alert beyond a threshold says about the past of its page or query: only as much as that past supports.

const clicked = (clicks: number): Sums => ({
  ...noSums,
  clicks,
  impressions: clicks * 20,
  positionSum: clicks * 60,
  rankedImpressions: clicks * 20,
})
const past = (...weeks: number[]) => ({ weeks: weeks.map(clicked), yearAgo: [] })
const calm = [700, 720, 690, 710, 705, 695, 715, 700, 690, 710, 700, 705]

test('a week far below its usual range has an expected value, the range, and how rare it is', () => {
  const found = expectedValueOf('clicks', past(...calm), noSums, 400)
  expect(found?.value).toBeCloseTo(703, -1)
  expect(found?.low).toBeGreaterThan(500)
  expect(found?.high).toBeLessThan(950)
  expect(found?.months).toBeGreaterThan(12)
})

test('a week within its usual range is nothing rare', () => {
  expect(expectedValueOf('clicks', past(...calm), noSums, 660)).not.toHaveProperty('months')
})

test('the further off, the rarer', () => {
  const months = [600, 560, 520, 480].map((now) => expectedValueOf('clicks', past(...calm), noSums, now)?.months ?? 0)
  expect(months).toEqual(months.toSorted((a, b) => a - b))
  expect(new Set(months).size).toBeGreaterThan(2)
})

test('with a short past there is a range but no rarity, and with a shorter one nothing', () => {
  expect(expectedValueOf('clicks', past(...calm.slice(0, 6)), noSums, 300)).toEqual({
    value: expect.any(Number),
    low: expect.any(Number),
    high: expect.any(Number),
  })
  expect(expectedValueOf('clicks', past(...calm.slice(0, 3)), noSums, 300)).toBeNull()
  expect(expectedValueOf('clicks', { ...past(...calm), isCut: true }, noSums, 300)).not.toHaveProperty('months')
})

test('a CTR of a few clicks has no range', () => {
  const weeks = calm.map(() => ({ clicks: 1, impressions: 40, positionSum: 120, rankedImpressions: 40 }))
  expect(
    expectedValueOf('ctr', { weeks, yearAgo: [] }, { ...noSums, impressions: 40, positionSum: 120, rankedImpressions: 40 }, 0),
  ).toBeNull()
})

test('a ranking that is lost had an expected position', () => {
  expect(expectedValueOf('position', past(...calm), noSums, null)).toMatchObject({ value: 3 })
})

test('while nothing happens, weeks said to come once a year come about as rarely', () => {
  let seed = 7
  const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
  const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())
  let rare = 0
  const years = 200
  for (let year = 0; year < years; year++) {
    const weeks = Array.from({ length: 52 + 12 }, () => Math.max(0, Math.round(500 * Math.exp(0.08 * normal()))))
    for (let i = 12; i < weeks.length; i++) {
      const before = past(...weeks.slice(i - 12, i).toReversed())
      if ((expectedValueOf('clicks', before, noSums, weeks[i] ?? 0)?.months ?? 0) >= 12) rare += 1
    }
  }
  expect(rare / years).toBeLessThan(1)
})
