import { expect, test } from 'vitest'
import { competition, explainedByKeywords, wholeWords } from './copy.ts'

const figures = { impressions: 10, ctr: 0.1, position: 3, previous: null }
const query = (clicks: number) => ({ query: 'lamp', clicks, share: 0.5, ...figures })
const page = (share: number) => ({ page: 'https://a.example/', clicks: 1, share, ...figures })

test("the named queries cover part of a page's clicks", () => {
  expect(explainedByKeywords([query(600), query(200)], 1_000, 1_000, 0)).toBe(
    'Showing 2 keywords (80% of the page’s 1,000 clicks). The rest are from anonymized queries.',
  )
  expect(explainedByKeywords([query(998)], 1_000, 1_000, 0)).toBe(
    'Showing 1 keyword (>99% of the page’s 1,000 clicks). The rest are from anonymized queries.',
  )
  expect(explainedByKeywords([query(10)], 10, 1_000, 0)).toBe('Showing 1 keyword (100% of the page’s 10 clicks).')
  expect(explainedByKeywords([query(0)], 0, 1_000, 0)).toBe('Showing 1 keyword. The page had no clicks on these days.')
  expect(explainedByKeywords([query(6), query(2)], 16, 2, 0)).toMatch(/^Showing the top 2 keywords \(50% of/)
  expect(explainedByKeywords([], 7, 2, 0)).toMatch(/^Google reports no keywords/)
})

test('pages with a tenth of the impressions or more compete', () => {
  expect(competition([page(0.6), page(0.4)], 1_000, 0)).toBe(
    '2 pages appear for this keyword. Both compete: each gets at least 10% of the impressions.',
  )
  expect(competition([page(0.5), page(0.3), page(0.2)], 1_000, 0)).toMatch(/All compete/)
  expect(competition([page(0.6), page(0.3), page(0.05), page(0.05)], 1_000, 0)).toMatch(/4 pages .* 2 of them compete/)
  expect(competition([page(0.95), page(0.05)], 1_000, 0)).toMatch(/no competing pages/)
  expect(competition([page(1)], 1_000, 0)).toMatch(/^No competing pages/)
  expect(competition([], 1_000, 0)).toMatch(/reports no pages/)
  expect(competition([page(0.6), page(0.4)], 2, 0)).toMatch(/^2 or more pages appear for this keyword\./)
})

test('if Google capped its list, some are missing', () => {
  const said = 'Google capped its list of keywords by page at 50,000 rows on'
  expect(explainedByKeywords([query(600)], 1_000, 1_000, 2)).toBe(
    `Showing 1 keyword (60% of the page’s 1,000 clicks). The rest are from anonymized queries or rows that Google cut off. ${said} 2 days, so some keywords may be missing.`,
  )
  expect(competition([page(1)], 1_000, 1)).toBe(
    `No competing pages: only one page appears for this keyword. ${said} one day, so some pages may be missing.`,
  )
})

test('over a narrowed list, the figures are said to be of the whole page or keyword', () => {
  expect(wholeWords('page', ['segment'])).toBe('Metrics for this page without the segment applied.')
  expect(wholeWords('keyword', ['segment', 'where'])).toBe('Metrics for this keyword without the segment and filters applied.')
})
