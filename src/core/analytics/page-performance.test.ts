import { expect, test } from 'vitest'
import { pagePerformance } from './page-performance.ts'

test.each([
  [50, 1_000, 'Excellent'],
  [49_999, 1_000_000, 'Good'],
  [20, 1_000, 'Good'],
  [19_999, 1_000_000, 'Average'],
  [10, 1_000, 'Average'],
  [9_999, 1_000_000, 'Needs Work'],
  [0, 1_000, 'Needs Work'],
  [0, 0, 'Needs Work'],
  [7, 7, 'Excellent'],
] as const)('%i clicks of %i impressions: %s', (clicks, impressions, performance) => {
  expect(pagePerformance(clicks, impressions)).toBe(performance)
})

test('thresholds hold for any number of impressions, even where a division would miss them', () => {
  for (let hundreds = 1; hundreds < 5_000; hundreds += 1) {
    expect(pagePerformance(hundreds * 5, hundreds * 100)).toBe('Excellent')
    expect(pagePerformance(hundreds * 2, hundreds * 100)).toBe('Good')
    expect(pagePerformance(hundreds, hundreds * 100)).toBe('Average')
  }
})
