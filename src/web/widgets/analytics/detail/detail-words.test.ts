import { expect, test } from 'vitest'
import { competition, explainedByKeywords } from './detail-words.ts'

const figures = { impressions: 10, ctr: 0.1, position: 3, previous: null }
const query = (clicks: number) => ({ query: 'lamp', clicks, share: 0.5, ...figures })
const page = (share: number) => ({ page: 'https://a.example/', clicks: 1, share, ...figures })

test('the named queries explain a part of the clicks of a page', () => {
  expect(explainedByKeywords([query(600), query(200)], 1_000, 1_000, 0)).toBe(
    'Google names 2 queries; they explain 80% of the page’s 1,000 clicks. The rest are from anonymized queries.',
  )
  expect(explainedByKeywords([query(10)], 10, 1_000, 0)).toBe('Google names one query; it explains 100% of the page’s 10 clicks.')
  expect(explainedByKeywords([query(0)], 0, 1_000, 0)).toBe('Google names one query. The page had no clicks on these days.')
  expect(explainedByKeywords([query(6), query(2)], 16, 2, 0)).toMatch(/^Listed are the 2 queries with most clicks; they explain 50% of/)
  expect(explainedByKeywords([], 7, 2, 0)).toMatch(/^Google names no query/)
})

test('pages with a tenth of the impressions and more compete', () => {
  expect(competition([page(0.6), page(0.4)], 0)).toBe(
    '2 pages were shown for this query. Both compete for it: each has at least a tenth of the impressions.',
  )
  expect(competition([page(0.5), page(0.3), page(0.2)], 0)).toMatch(/All compete/)
  expect(competition([page(0.6), page(0.3), page(0.05), page(0.05)], 0)).toMatch(/4 pages .* 2 of them compete/)
  expect(competition([page(0.95), page(0.05)], 0)).toMatch(/nothing competes/)
  expect(competition([page(1)], 0)).toMatch(/^One page/)
  expect(competition([], 0)).toMatch(/names no page/)
})

test('where Google capped its list, some are missing', () => {
  const said = 'Google capped its list of queries by page at 50,000 rows on'
  expect(explainedByKeywords([query(600)], 1_000, 1_000, 2)).toBe(
    `Google names one query; it explains 60% of the page’s 1,000 clicks. The rest are from anonymized queries or were cut off. ${said} 2 days, so some queries may be missing.`,
  )
  expect(competition([page(1)], 1)).toBe(
    `One page was shown for this query: nothing competes with it. ${said} one day, so some pages may be missing.`,
  )
})
