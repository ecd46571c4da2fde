import { describe, expect, test } from 'vitest'
import { coverageWords, extraClicks, notComparedWords, notStoredWords } from './copy.ts'

const figures = { clicks: 1, impressions: 10, ctr: 0.1, position: 3 }
const list = (count: number, stored: boolean, compared = stored) => ({
  count,
  top: Array.from({ length: Math.min(10, count) }, (_, at) => ({ name: `${at}`, ...figures, previous: null })),
  stored,
  compared,
})

describe('a list of pages or keywords', () => {
  test.each([
    ['pages', 0, true, 'No pages appeared in search results.'],
    ['keywords', 0, true, 'Google reports no keywords for these days.'],
    ['keywords', 1, true, 'The only keyword Google reports.'],
    ['keywords', 3870, true, 'Top 10 of 3,870 that Google reports, by clicks.'],
    ['pages', 4, true, 'All 4, by clicks.'],
    ['pages', 0, false, "Page data isn't available for these days."],
    ['keywords', 0, false, "Keyword data isn't available for these days."],
    ['pages', 4, false, "All 4, by clicks. Page data isn't available for every day of this period."],
  ] as const)('%s, %d of them, stored: %s', (what, count, stored, words) => {
    expect(coverageWords(what, list(count, stored))).toBe(words)
  })

  test('is reported as missing only if it is', () => {
    expect(notStoredWords('pages', list(4, true))).toBeNull()
  })
})

describe('rises and falls', () => {
  const report = (keywords: ReturnType<typeof list>, previousTotals: typeof figures | null = figures) =>
    ({ kind: 'month', previousTotals, pages: list(4, true), keywords }) as const

  test('are known if the previous period is stored as well', () => {
    expect(notComparedWords('keywords', report(list(4, true)))).toBeNull()
  })
  test.each([
    ['nothing of the month before', list(4, true, false), null, "Data for the previous month is incomplete, so there's no comparison."],
    [
      'only its totals',
      list(4, true, false),
      figures,
      "Keyword data isn't available for all days of the previous month, so there's no comparison.",
    ],
    ['nothing but totals', list(0, false), figures, "Keyword data isn't available for every day of this period, so there's no comparison."],
  ])("aren't known with %s", (_what, keywords, previousTotals, words) => {
    expect(notComparedWords('keywords', report(keywords, previousTotals))).toBe(words)
  })
})

test('extra clicks per week are shown to the tenth, and never as none', () => {
  expect([148, 1234.56, 0.3, 0.01].map(extraClicks)).toEqual(['+148.0', '+1,234.6', '+0.3', '<0.1'])
})
