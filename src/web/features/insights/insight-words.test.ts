import { expect, test } from 'vitest'
import { countedAmong, ctrSummary, distributionSummary } from './insight-words.ts'

const rows = (count: number) => Array.from({ length: count }) as never[]

test('it is said which rows are counted, as the lists end somewhere', () => {
  expect(countedAmong({ opportunities: rows(20), pages: rows(50) })).toBe(
    'Based on the 20 keywords with the highest scores and the 50 pages with the most clicks.',
  )
  expect(countedAmong({ opportunities: rows(1), pages: rows(12) })).toBe(
    'Based on the only keyword with a score above 0 and all 12 pages Google reports.',
  )
  expect(countedAmong({ opportunities: [], pages: rows(1) })).toBe(
    'Based on no keywords with a score above 0 and the only page Google reports.',
  )
})

test('charts are summed up in a sentence', () => {
  const buckets = [
    { label: '1-3' as const, keywords: 4, clicks: 25, impressions: 100 },
    { label: '4-10' as const, keywords: 1_200, clicks: 0, impressions: 0 },
  ]
  expect(distributionSummary(buckets)).toBe('Keywords by their average position: 4 in 1-3, 1,200 in 4-10.')
  expect(ctrSummary(buckets)).toBe('CTR by average position: 25.00% in 1-3.')
})
