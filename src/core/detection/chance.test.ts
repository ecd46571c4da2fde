import { expect, test } from 'vitest'
import { lowerTail, upperTail } from './chance.ts'

// With an overdispersion of 1 the count is geometric, of which the tails are known.
const geometric = (count: number, mean: number) => (mean / (1 + mean)) ** count

test.each([
  [1, 3],
  [7, 3],
  [40, 21],
  [400, 21],
  [3, 500],
])('tails of %d where %d are expected are those of the distribution', (count, mean) => {
  expect(upperTail(count, { mean, overdispersion: 1 }) / geometric(count, mean)).toBeCloseTo(1, 9)
  expect(lowerTail(count, { mean, overdispersion: 1 }) / (1 - geometric(count + 1, mean))).toBeCloseTo(1, 9)
})

test('both tails share the count itself, whatever the overdispersion', () => {
  for (const overdispersion of [0.01, 0.1, 2])
    for (const mean of [3, 100, 1e6])
      for (const share of [0.5, 1, 2]) {
        const count = Math.round(mean * share)
        const expected = { mean, overdispersion }
        expect(lowerTail(count, expected) + upperTail(count + 1, expected)).toBeCloseTo(1, 9)
      }
})

test('counts beyond all reason have tails, too, and the same ones as smaller counts of that share', () => {
  expect(upperTail(1e15, { mean: 21, overdispersion: 0.1 })).toBe(0)
  expect(lowerTail(1e15, { mean: 21, overdispersion: 0.1 })).toBe(1)
  const share = (mean: number) => lowerTail(0.7 * mean, { mean, overdispersion: 0.1 })
  expect(share(1e15)).toBeCloseTo(share(1e8), 6)
})
