import { expect, test } from 'vitest'
import { readFilters } from '../../../../contract/explore/explore.ts'
import { gapWords, isCompared, ofSegment } from './is-compared.ts'

test('figures are only compared if every day of both periods is stored', () => {
  expect(isCompared({ comparedGrains: ['total', 'page'] }, 'page')).toBe(true)
  expect(isCompared({ comparedGrains: ['total', 'page'] }, 'query')).toBe(false)
  expect(isCompared({ comparedGrains: [] }, 'total')).toBe(false)
  expect(isCompared(undefined, 'total')).toBe(false)
})

test('rows of a segment that come from keywords by page are only compared if every day of those is stored', () => {
  const before = [{ start: '2026-03-02', end: '2026-03-05' }]
  const list = { count: 1, clicks: 1, impressions: 1, totals: { clicks: 1, impressions: 1 }, cutOffDays: 0, gaps: [], previousGaps: [] }
  const lists = { pages: list, keywords: list, pairs: { cutOffDays: 0, gaps: [], previousGaps: before } }
  const withoutPairs = { ...lists, comparedGrains: ['total' as const, 'page' as const, 'query' as const] }
  const withPairs = { ...withoutPairs, comparedGrains: [...withoutPairs.comparedGrains, 'query_page' as const] }
  const [byPage, byQuery] = ['page contains lamps', 'query contains oak'].map((content) => readFilters(content).filters)
  expect(isCompared(ofSegment(withoutPairs, 'query', byPage!), 'query')).toBe(false)
  expect(isCompared(ofSegment(withoutPairs, 'page', byQuery!), 'page')).toBe(false)
  expect(ofSegment(withoutPairs, 'query', byPage!).keywords.previousGaps).toEqual(before)
  expect(isCompared(ofSegment(withPairs, 'query', byPage!), 'query')).toBe(true)
  for (const [by, own] of [
    ['query', byQuery!],
    ['page', byPage!],
    ['page', []],
  ] as const)
    expect(ofSegment(withoutPairs, by, own)).toBe(withoutPairs)
})

test('a gap is reported, with the days it may be in', () => {
  const latest = { current: { start: '2026-03-09', end: '2026-03-15' }, completeThrough: '2026-03-15' }
  expect(gapWords({ ...latest, previous: { start: '2026-03-02', end: '2026-03-08' } })).toBe(
    'Some days in 9–15 Mar or 2–8 Mar are missing, so there’s no comparison.',
  )
  expect(gapWords({ ...latest, previous: { start: '2025-03-10', end: '2025-03-16' } })).toContain('9–15 Mar 2026 or 10–16 Mar 2025')
})
