import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ctrAt, fitCtrCurve, publishedCurve } from './ctr-curve.ts'

const bin = (position: number, impressions: number, clicks: number) => ({ position, impressions, clicks })

test('without data the curve is the published one', () => {
  expect(fitCtrCurve([])).toEqual(publishedCurve)
})

test('with little data, the published curve weighs as much as 500 impressions', () => {
  // (500 × 0.11 + 5) ÷ (500 + 100)
  expect(fitCtrCurve([bin(3, 100, 5)])[2]).toBeCloseTo(60 / 600, 12)
})

test('with plenty of data, the property’s own rate counts', () => {
  const curve = fitCtrCurve([bin(1, 1_000_000, 200_000), bin(2, 1_000_000, 150_000), bin(3, 1_000_000, 130_000)])
  expect(curve[0]).toBeCloseTo(0.2, 3)
  expect(curve[2]).toBeCloseTo(0.13, 3)
})

test('neighbors in the wrong order are pooled by weight', () => {
  // Position 4: (40 + 0.08 × 500) ÷ 1000 = 0.08; position 5: (500 × 0.072 + 114) ÷ 1000 = 0.15, above it and above position 3
  const curve = fitCtrCurve([bin(4, 500, 40), bin(5, 500, 114)])
  // 3, 4 and 5 have 0.11 (weight 500), 0.08 (1000), 0.15 (1000): 4 and 5 pool to 0.115, which with 3 pools to 0.114.
  expect(curve.slice(1, 6)).toEqual([0.157, expect.closeTo(0.114, 12), expect.closeTo(0.114, 12), expect.closeTo(0.114, 12), 0.051])
})

test('a curve never rises and stays between 0 and 1, whatever was measured', () => {
  const measured = fc.array(
    fc.record({ position: fc.integer({ min: 1, max: 20 }), impressions: fc.nat(1e7), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  )
  fc.assert(
    fc.property(measured, (bins) => {
      const curve = fitCtrCurve(bins.map(({ share, ...each }) => ({ ...each, clicks: Math.floor(each.impressions * share) })))
      expect(curve).toHaveLength(20)
      curve.forEach((ctr, index) => {
        expect(ctr).toBeGreaterThanOrEqual(0)
        expect(ctr).toBeLessThanOrEqual(curve[index - 1] ?? 1)
      })
    }),
  )
})

test('between two positions the curve is linear, and level outside of them', () => {
  expect(ctrAt(publishedCurve, 1)).toBe(0.285)
  expect(ctrAt(publishedCurve, 3.5)).toBeCloseTo(0.095, 12)
  expect(ctrAt(publishedCurve, 10.2)).toBeCloseTo(0.0219, 12)
  expect(ctrAt(publishedCurve, 20)).toBe(0.005)
  expect(ctrAt(publishedCurve, 57.3)).toBe(0.005)
  expect(ctrAt(publishedCurve, 0.5)).toBe(0.285)
})
