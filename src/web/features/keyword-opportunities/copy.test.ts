import { expect, test } from 'vitest'
import { readFilters } from '../../../contract/explore/explore.ts'
import type { Gaps } from '../../../contract/analytics.ts'
import { doubtsOf, lostSentence, meaningOf, unknownDays } from './copy.ts'

const previous = { start: '2026-03-02', end: '2026-03-08' }
const days = { current: { start: '2026-03-09', end: '2026-03-15' }, previous, completeThrough: '2026-03-15' }

test("new and lost say on which days a keyword was shown, and on which it wasn't", () => {
  expect(meaningOf('new', days)).toBe('Appeared in search results 9–15 Mar, but not 2–8 Mar.')
  expect(meaningOf('new', days, readFilters('query contains lamp').filters)).toBe(
    'Appeared in this segment’s search results 9–15 Mar, but not 2–8 Mar.',
  )
  expect(meaningOf('lost', { ...days, previous: { start: '2025-03-10', end: '2025-03-16' } })).toBe(
    'Appeared in search results 10–16 Mar 2025, but not 9–15 Mar 2026. Metrics are from 10–16 Mar 2025.',
  )
  expect(meaningOf('new', { ...days, completeThrough: '2027-01-02' })).toBe(
    'Appeared in search results 9–15 Mar 2026, but not 2–8 Mar 2026.',
  )
})

test('in a segment of pages, new and lost are about these pages', () => {
  const pages = readFilters('page contains /lamps/').filters
  expect(meaningOf('new', days, pages)).toBe('Appeared in search results with this segment’s pages 9–15 Mar, but not 2–8 Mar.')
  expect(meaningOf('lost', days, pages)).toBe(
    'Appeared in search results with this segment’s pages 2–8 Mar, but not 9–15 Mar. Metrics are from 2–8 Mar.',
  )
})

const stored = (change: Partial<Gaps>) => ({ keywords: { gaps: [], previousGaps: [], ...change } })
const run = (start: string, end = start) => ({ start, end })

test('days on which a keyword may have been shown as well are named', () => {
  expect(doubtsOf('new', stored({}))).toHaveLength(1)
  expect(doubtsOf('new', stored({ gaps: [run('2026-03-09', '2026-03-10')] }))[1]).toBe(
    'No keyword data is stored for 9–10 Mar 2026, so appearances on those days aren’t counted.',
  )
  expect(doubtsOf('lost', stored({ previousGaps: [run('2026-03-02'), run('2026-03-05')] }))[1]).toBe(
    'No keyword data is stored for 2 Mar 2026 and 5 Mar 2026, so appearances on those days aren’t counted.',
  )
})

test("what is new can't be told without every earlier day, nor what is lost without every day of the period", () => {
  const [now, before] = [stored({ gaps: [run('2026-03-09')] }), stored({ previousGaps: [run('2026-03-02')] })]
  expect(unknownDays('new', before)).toEqual([run('2026-03-02')])
  expect(unknownDays('lost', now)).toEqual([run('2026-03-09')])
  expect([unknownDays('new', now), unknownDays('lost', before)]).toEqual([[], []])
})

test('the clicks of lost keywords are a total only if all of them are loaded', () => {
  const rows = Array.from({ length: 200 }, () => ({ previous: { clicks: 6, impressions: 60, ctr: 0.1, position: 4 } }))
  expect(lostSentence(rows, false, previous)).toBe('Total: 1,200 clicks, 2–8 Mar 2026.')
  expect(lostSentence(rows, true, previous)).toBe('First 200 keywords: 1,200 clicks, 2–8 Mar 2026.')
  expect(lostSentence([], false, null)).toBe('Total: 0 clicks.')
})
