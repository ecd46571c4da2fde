import { describe, expect, test } from 'vitest'
import { coverageWords, notComparedWords, notStoredWords } from './list-words.ts'

const figures = { clicks: 1, impressions: 10, ctr: 0.1, position: 3 }
const list = (count: number, stored: boolean, compared = stored) => ({
  count,
  top: Array.from({ length: Math.min(10, count) }, (_, at) => ({ name: `${at}`, ...figures, previous: null })),
  stored,
  compared,
})

describe('a list of pages or keywords', () => {
  test.each([
    ['pages', 0, true, 'No pages were shown.'],
    ['keywords', 0, true, 'Google reports no keywords for these days.'],
    ['keywords', 1, true, 'The only keyword Google reports.'],
    ['keywords', 3870, true, 'Top 10 by clicks, of 3,870 that Google reports.'],
    ['pages', 4, true, 'All 4, by clicks.'],
    ['pages', 0, false, "Pages aren't stored for these days."],
    ['keywords', 0, false, "Keywords aren't stored for these days."],
    ['pages', 4, false, "All 4, by clicks. Pages aren't stored for all of these days."],
  ] as const)('%s, %d of them, stored: %s', (what, count, stored, words) => {
    expect(coverageWords(what, list(count, stored))).toBe(words)
  })

  test('is told to be missing only where it is', () => {
    expect(notStoredWords('pages', list(4, true))).toBeNull()
  })
})

describe('what rose and fell', () => {
  const report = (keywords: ReturnType<typeof list>, previousTotals: typeof figures | null = figures) =>
    ({ kind: 'month', previousTotals, pages: list(4, true), keywords }) as const

  test('is known where the period before is stored as well', () => {
    expect(notComparedWords('keywords', report(list(4, true)))).toBeNull()
  })
  test.each([
    ['nothing of the month before', list(4, true, false), null, "The previous month isn't stored, so there's no comparison."],
    [
      'only its totals',
      list(4, true, false),
      figures,
      "Keywords aren't stored for all days of the previous month, so there's no comparison.",
    ],
    ['only totals at all', list(0, false), figures, "Keywords aren't stored for all of these days, so there's no comparison."],
  ])('is not where there is %s', (_what, keywords, previousTotals, words) => {
    expect(notComparedWords('keywords', report(keywords, previousTotals))).toBe(words)
  })
})
