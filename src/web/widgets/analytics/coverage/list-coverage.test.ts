import { expect, test } from 'vitest'
import type { AnalyticsSummary, Gaps } from '../../../../contract/analytics.ts'
import type { Period } from '../../../../contract/metrics.ts'
import { daysWords, listCoverage, type Listed, whyNotListed } from './list-coverage.ts'

const now = new Date('2026-03-17T12:00:00Z')
const covered = (...[of, what, shown]: [AnalyticsSummary, Listed, { rows: number; clicks: number }]) => listCoverage(of, what, shown, now)
const figures = { clicks: 1_000, impressions: 20_000, ctr: 0.05, position: 8 }
const totals = { clicks: 1_000, impressions: 20_000 }
const noGaps: Gaps = { gaps: [], previousGaps: [] }
const summary: AnalyticsSummary = {
  property: 'sc-domain:site.example',
  current: { start: '2026-03-09', end: '2026-03-15' },
  previous: { start: '2026-03-02', end: '2026-03-08' },
  completeThrough: '2026-03-15',
  currentFrom: '2026-03-09',
  previousFrom: '2026-03-02',
  totals: figures,
  previousTotals: figures,
  comparedGrains: ['total', 'page', 'query'],
  pages: { count: 340, clicks: 1_010, impressions: 30_000, totals, cutOffDays: 0, ...noGaps },
  keywords: { count: 5_000, clicks: 700, impressions: 9_000, totals, cutOffDays: 2, ...noGaps },
  pairs: { cutOffDays: 7, ...noGaps },
  ...noGaps,
}

/** With these gaps in the list of pages. */
const withGaps = (gaps: Partial<Gaps>, change: Partial<AnalyticsSummary> = {}): AnalyticsSummary => ({
  ...summary,
  ...change,
  pages: { ...summary.pages, ...gaps },
})
const run = (start: string, end = start) => ({ start, end })

test('an incomplete list says how much of the total it covers', () => {
  expect(covered(summary, 'pages', { rows: 100, clicks: 870 })).toEqual([
    '9–15 Mar, complete through 15 Mar.',
    'Showing 100 of 340 pages (87% of 1,000 clicks).',
  ])
})

test('days of another year than the latest, or than the compared ones, have their year', () => {
  const old = { ...summary, current: { start: '2025-03-09', end: '2025-03-15' }, previous: null, currentFrom: '2025-03-09' }
  expect(covered(old, 'pages', { rows: 340, clicks: 1_010 })[0]).toBe('9–15 Mar 2025, complete through 15 Mar 2026.')
  const empty = withGaps({ gaps: [old.current] }, old)
  expect(covered(empty, 'pages', { rows: 0, clicks: 0 })).toContain('No data is stored for 9–15 Mar 2025.')
  const previous = run('2025-03-10', '2025-03-16')
  const coverage = (missing: Period) => covered(withGaps({ previousGaps: [missing] }, { previous }), 'pages', { rows: 340, clicks: 1_010 })
  expect(coverage(previous)).toContain('No comparison data for 10–16 Mar 2025.')
  expect(coverage(run('2025-03-10', '2025-03-11'))).toContain('Comparison data starts 12 Mar 2025.')
})

test('days of the latest year stored have it, too, if that is over: an import may be old', () => {
  const later = new Date('2027-11-20T12:00:00Z')
  expect(listCoverage(summary, 'pages', { rows: 340, clicks: 1_010 }, later)[0]).toBe('9–15 Mar 2026, complete through 15 Mar 2026.')
})

test("a list of keywords says what Google doesn't name and where it capped its list", () => {
  expect(covered(summary, 'keywords', { rows: 5_000, clicks: 700 }).slice(1)).toEqual([
    'Showing all 5,000 keywords Google reports (70% of 1,000 clicks).',
    '30% of clicks are from anonymized queries.',
    'Google capped its list of keywords at 50,000 rows on 2 days, so keywords with the fewest clicks are missing.',
  ])
})

test('a period with only its last days stored says so', () => {
  expect(covered(withGaps({ gaps: [run('2026-03-09', '2026-03-11')] }), 'pages', { rows: 340, clicks: 1_010 })).toContain(
    'Data starts 12 Mar.',
  )
})

test('a previous period with only a part stored says so', () => {
  const shown = { rows: 340, clicks: 1_010 }
  const without = (start: string, end: string) => covered(withGaps({ previousGaps: [run(start, end)] }), 'pages', shown).at(-1)
  expect(without('2026-03-02', '2026-03-04')).toBe('Comparison data starts 5 Mar.')
  expect(without('2026-03-02', '2026-03-08')).toBe('No comparison data for 2–8 Mar.')
  expect(covered({ ...summary, previous: null, previousFrom: null }, 'pages', shown)).toHaveLength(2)
})

test('days in between that are missing are mentioned, with or without a comparison', () => {
  const shown = { rows: 340, clicks: 1_010 }
  const gap = 'Some days in 9–15 Mar or 2–8 Mar are missing, so there’s no comparison.'
  const missing = { gaps: [run('2026-03-11', '2026-03-12')] }
  expect(covered(withGaps(missing), 'pages', shown).at(-1)).toBe(gap)
  expect(covered(withGaps({ previousGaps: [run('2026-03-05')] }), 'pages', shown).at(-1)).toBe(gap)
  expect(covered(withGaps(missing), 'keywords', shown)).not.toContain(gap)
  expect(covered(withGaps(missing, { previous: null }), 'pages', shown).at(-1)).toBe('2 days of this period are missing.')
  expect(covered(withGaps({ gaps: [run('2026-03-11')] }, { previous: null }), 'pages', shown).at(-1)).toBe(
    '1 day of this period is missing.',
  )
})

test("clicks of days that a list doesn't have are not called anonymized", () => {
  const half = { ...summary.keywords, clicks: 500, totals: { clicks: 500, impressions: 10_000 }, cutOffDays: 0 }
  expect(covered({ ...summary, keywords: half }, 'keywords', { rows: 5_000, clicks: 500 }).slice(1)).toEqual([
    'Showing all 5,000 keywords Google reports (100% of 500 clicks).',
  ])
})

test('a part is never called all or none', () => {
  const most = { ...summary, pages: { ...summary.pages, clicks: 1_000 } }
  expect(covered(most, 'pages', { rows: 50, clicks: 996 })[1]).toBe('Showing 50 of 340 pages (>99% of 1,000 clicks).')
  const few = { ...summary, keywords: { ...summary.keywords, clicks: 997 } }
  expect(covered(few, 'keywords', { rows: 50, clicks: 500 })[2]).toBe('<1% of clicks are from anonymized queries.')
})

test('without clicks there is no share', () => {
  const none = { ...summary, pages: { ...summary.pages, totals: { clicks: 0, impressions: 5 } } }
  expect(covered(none, 'pages', { rows: 1, clicks: 0 })).toHaveLength(2)
})

test('of many missing days, the first are named', () => {
  const days = ['2026-03-02', '2026-03-04', '2026-03-06', '2026-03-08'].map((day) => run(day))
  expect(daysWords(days.slice(0, 3))).toBe('2 Mar 2026, 4 Mar 2026 and 6 Mar 2026')
  expect(daysWords(days)).toBe('2 Mar 2026, 4 Mar 2026, 6 Mar 2026 and 1 other day')
})

test('days with totals only are described as such, along with the compared days that have more', () => {
  const { current, previous } = summary
  const none = withGaps({ gaps: [current], previousGaps: [previous!] })
  expect(whyNotListed(none, 'pages')).toBe('Totals are stored for 9–15 Mar 2026, but page data isn’t.')
  expect(whyNotListed(withGaps({ gaps: [current], previousGaps: [run('2026-03-02', '2026-03-04')] }), 'pages')).toBe(
    'Totals are stored for 9–15 Mar 2026, but page data isn’t. It’s available for 5–8 Mar 2026.',
  )
  expect(whyNotListed(none, 'keywords')).toBeNull()
  expect(whyNotListed(withGaps({ gaps: [run('2026-03-09')] }), 'pages')).toBeNull()
})

test('days of which nothing is stored are described as such, not as days on which Google reported nothing', () => {
  const { current } = summary
  const nothing = withGaps({ gaps: [current] }, { gaps: [current] })
  expect(whyNotListed(nothing, 'pages')).toBe('No data is stored for 9–15 Mar 2026.')
  expect(covered(nothing, 'pages', { rows: 0, clicks: 0 })).not.toContainEqual(expect.stringMatching(/^Showing/))
})
