import { expect, test } from 'vitest'
import { doubtsOf, lostSentence, meaningOf } from './copy.ts'

const current = { start: '2026-03-09', end: '2026-03-15' }
const previous = { start: '2026-03-02', end: '2026-03-08' }

test("new and lost say on which days a keyword was shown, and on which it wasn't", () => {
  expect(meaningOf('new', current, previous)).toBe('Appeared in search results 9–15 Mar, but not 2–8 Mar.')
  expect(meaningOf('lost', current, { start: '2025-03-10', end: '2025-03-16' })).toBe(
    'Appeared in search results 10–16 Mar 2025, but not 9–15 Mar 2026. Metrics are from 10–16 Mar 2025.',
  )
})

test('missing days are mentioned', () => {
  const stored = { current, previous, currentFrom: current.start, previousFrom: previous.start, comparedGrains: ['query' as const] }
  expect(doubtsOf('new', stored)).toHaveLength(1)
  expect(doubtsOf('new', { ...stored, previousFrom: '2026-03-05' })[1]).toBe(
    'Comparison data starts 5 Mar, so earlier appearances aren’t counted.',
  )
  expect(doubtsOf('new', { ...stored, comparedGrains: [] })[1]).toBe(
    'Some of these days have no keyword data, so appearances on those days aren’t counted.',
  )
  expect(doubtsOf('lost', { ...stored, currentFrom: '2026-03-11' })[1]).toBe('Data for this period starts 11 Mar.')
})

test('the clicks of lost keywords are a total only if all of them are loaded', () => {
  const rows = Array.from({ length: 200 }, () => ({ previous: { clicks: 6, impressions: 60, ctr: 0.1, position: 4 } }))
  expect(lostSentence(rows, false, previous)).toBe('Total: 1,200 clicks, 2–8 Mar 2026.')
  expect(lostSentence(rows, true, previous)).toBe('First 200 keywords: 1,200 clicks, 2–8 Mar 2026.')
  expect(lostSentence([], false, null)).toBe('Total: 0 clicks.')
})
