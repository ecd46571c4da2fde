import { expect, test } from 'vitest'
import { needsOptimization, performsWell } from './page-groups.ts'

test('a page needs optimization with impressions above 100 and a CTR below 2%', () => {
  expect(needsOptimization({ impressions: 101, ctr: 1.99 })).toBe(true)
  expect(needsOptimization({ impressions: 100, ctr: 0 })).toBe(false)
  expect(needsOptimization({ impressions: 5_000, ctr: 2 })).toBe(false)
})

test('a page is a high performer with a CTR of at least 5%', () => {
  expect(performsWell({ impressions: 1, ctr: 5 })).toBe(true)
  expect(performsWell({ impressions: 1, ctr: 4.99 })).toBe(false)
})
