import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Compared, type Fraction, rateOf, ratePartsOf } from './rate-parts.ts'

const sumOf = (all: readonly Fraction[]): Fraction => all.reduce((a, b) => ({ sum: a.sum + b.sum, of: a.of + b.of }), { sum: 0, of: 0 })
const wholeOf = (parts: readonly Compared<Fraction>[]): Compared<Fraction> => ({
  before: sumOf(parts.map(({ before }) => before)),
  now: sumOf(parts.map(({ now }) => now)),
})
const ctr = (clicks: number, impressions: number): Fraction => ({ sum: clicks, of: impressions })

describe('the parts of a change in CTR or position', () => {
  const fraction = fc
    .record({ of: fc.nat({ max: 100_000 }), rate: fc.double({ min: 0, max: 60, noNaN: true }) })
    .map(({ of, rate }) => ({ of, sum: of * rate }))
  const part = fc.record({ before: fraction, now: fraction })

  test('add up to it, whatever parts there are: new, gone, without impressions', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), (parts) => {
        const whole = wholeOf(parts)
        const [before, now] = [rateOf(whole.before), rateOf(whole.now)]
        fc.pre(before !== null && now !== null)
        const sum = parts.map((each) => ratePartsOf(each, whole)).reduce((total, { rate, mix }) => total + rate + mix, 0)
        expect(sum).toBeCloseTo((now ?? 0) - (before ?? 0), 8)
      }),
    )
  })

  test('are only shares of impressions if each part keeps its CTR', () => {
    const parts = [
      { before: ctr(100, 1_000), now: ctr(50, 500) },
      { before: ctr(10, 1_000), now: ctr(15, 1_500) },
    ]
    const found = parts.map((each) => ratePartsOf(each, wholeOf(parts)))
    expect(found.every(({ rate }) => rate === 0)).toBe(true)
    // Fewer impressions where CTR is high and more where it is low: both make it fall.
    expect(found.every(({ mix }) => mix < 0)).toBe(true)
    expect(found.reduce((sum, { mix }) => sum + mix, 0)).toBeCloseTo(0.0325 - 0.055)
  })

  test('are only the CTR of the part that changed if the impressions stay where they are', () => {
    const parts = [
      { before: ctr(100, 1_000), now: ctr(40, 1_000) },
      { before: ctr(10, 1_000), now: ctr(10, 1_000) },
    ]
    const [changed, same] = parts.map((each) => ratePartsOf(each, wholeOf(parts)))
    expect(changed?.rate).toBeCloseTo(-0.03)
    expect([changed?.mix, same?.rate, same?.mix].map((each) => Math.abs(each ?? 1))).toEqual([0, 0, 0])
  })
})
