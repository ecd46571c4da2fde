import { describe, expect, test } from 'vitest'
import { incompleteBeta, isMoreThanChance, logGamma, lowerTail, upperTail } from './chance.ts'

describe('how probable a count is', () => {
  test('with a mean that hardly varies, by Poisson', () => {
    const expected = { mean: 3, overdispersion: 1e-6 }
    expect(lowerTail(2, expected)).toBeCloseTo(Math.exp(-3) * (1 + 3 + 4.5), 5)
    expect(upperTail(3, expected)).toBeCloseTo(1 - lowerTail(2, expected), 9)
    expect(upperTail(0, expected)).toBe(1)
  })

  test('with a mean that varies, by the negative binomial', () => {
    // Two successes at one half: none fails with 1/4, one with 1/4, two with 3/16.
    const expected = { mean: 2, overdispersion: 0.5 }
    expect([0, 1, 2].map((count) => lowerTail(count, expected))).toEqual([1 / 4, 1 / 2, 11 / 16].map((p) => expect.closeTo(p, 12)))
  })

  test.each([
    [45.94, 1_235_086.87],
    [94.46, 82_963.6],
  ])('at the mean, where rounding places both sides beyond it: %d and %d', (a, b) => {
    const mean = (a + 1) / (a + b + 2)
    const bits = new BigUint64Array(new Float64Array([mean]).buffer)
    for (const step of [-1n, 0n, 1n, 2n]) {
      const [x = 0] = new Float64Array(new BigUint64Array([(bits[0] ?? 0n) + step]).buffer)
      expect(incompleteBeta(x, a, b)).toBeCloseTo(incompleteBeta(mean * 0.999_999, a, b), 4)
    }
  })

  test.each([
    [5, Math.log(24)],
    [0.5, Math.log(Math.PI) / 2],
    [101, 363.739_375_555_563_5],
  ])('the logarithm of Γ(%d) is %d', (x, value) => {
    expect(logGamma(x)).toBeCloseTo(value, 10)
  })
})

describe('a change exceeds chance', () => {
  test.each([
    // Twice the roots, 3/8 added to each count, lie 2.8 · √2 apart.
    [70, 1, [40, 41], [107, 108]],
    // A mean of thirty days is more certain than one of seven: 2.8 · √(1 + 7/30).
    [300, 7 / 30, [46, 47], [98, 99]],
  ] as const)('from a count of %d, scaled by %d, below and above these', (before, scale, [low, notLow], [notHigh, high]) => {
    const isMore = (now: number) => isMoreThanChance.ofCounts(before, now, scale)
    expect([low, notLow, notHigh, high].map(isMore)).toEqual([true, false, false, true])
  })

  test('in shares, only if both are shares of something', () => {
    expect(isMoreThanChance.ofShares([50, 1000], [20, 1000])).toBe(true)
    expect(isMoreThanChance.ofShares([50, 1000], [40, 1000])).toBe(false)
    expect(isMoreThanChance.ofShares([0, 0], [20, 1000])).toBe(false)
    expect(isMoreThanChance.ofShares([50, 1000], [0, 0])).toBe(false)
  })
})

// With an overdispersion of 1 the count is geometric, whose tails are known.
const geometric = (count: number, mean: number) => (mean / (1 + mean)) ** count

test.each([
  [1, 3],
  [7, 3],
  [40, 21],
  [400, 21],
  [3, 500],
])('tails of %d with %d expected match the distribution', (count, mean) => {
  expect(upperTail(count, { mean, overdispersion: 1 }) / geometric(count, mean)).toBeCloseTo(1, 9)
  expect(lowerTail(count, { mean, overdispersion: 1 }) / (1 - geometric(count + 1, mean))).toBeCloseTo(1, 9)
})

test('both tails include the count itself, whatever the overdispersion', () => {
  for (const overdispersion of [0.01, 0.1, 2])
    for (const mean of [3, 100, 1e6])
      for (const share of [0.5, 1, 2]) {
        const count = Math.round(mean * share)
        const expected = { mean, overdispersion }
        expect(lowerTail(count, expected) + upperTail(count + 1, expected)).toBeCloseTo(1, 9)
      }
})

test('enormous counts have tails, too, the same ones as smaller counts with that share', () => {
  expect(upperTail(1e15, { mean: 21, overdispersion: 0.1 })).toBe(0)
  expect(lowerTail(1e15, { mean: 21, overdispersion: 0.1 })).toBe(1)
  const share = (mean: number) => lowerTail(0.7 * mean, { mean, overdispersion: 0.1 })
  expect(share(1e15)).toBeCloseTo(share(1e8), 6)
})
