import { expect, test } from 'vitest'
import { publishedCurve } from './ctr-curve.ts'
import { opportunityScore } from './opportunity.ts'

const keyword = (impressions: number, position: number, days = 7) => ({ impressions, position, days })

test('a keyword at position 10 with 1,000 weekly impressions would gain 85 clicks a week at position 3', () => {
  // 1000 × (0.110 − 0.025)
  expect(opportunityScore(keyword(1_000, 10), publishedCurve)).toBeCloseTo(85, 9)
})

test('a longer period is scaled to a week', () => {
  // Halfway between 0.032 and 0.028
  expect(opportunityScore(keyword(4_000, 8.5, 28), publishedCurve)).toBeCloseTo(1_000 * (0.11 - 0.03), 9)
  expect(opportunityScore(keyword(900, 5, 90), publishedCurve)).toBeCloseTo(70 * (0.11 - 0.072), 9)
})

test('a keyword at position 3 or better scores 0', () => {
  for (const position of [1, 2.4, 3]) expect(opportunityScore(keyword(1e6, position), publishedCurve)).toBe(0)
  expect(opportunityScore(keyword(1_000, 3.1), publishedCurve)).toBeCloseTo(3, 9)
})

test('a keyword without a known position scores 0', () => {
  expect(opportunityScore(keyword(1_000, 0), publishedCurve)).toBe(0)
})

test("if the property's CTR at 3 is as low as further down, there is nothing to gain", () => {
  expect(
    opportunityScore(
      keyword(1_000, 12),
      publishedCurve.map(() => 0.02),
    ),
  ).toBe(0)
})
