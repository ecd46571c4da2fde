import type { Keyword } from '../../../src/contract/keywords.ts'
import type { Page } from '../../../src/contract/pages.ts'
import { answerLists, at, figuresOf, keywordOf, pageOf } from './analytics.ts'
import type { Desk } from './desk.ts'

const fillers = 115

/** What a property was found by in the last seven complete days: each keyword brought one page. `score`: the possible gain. */
export const found = [
  { query: 'oak desk lamp', path: '/lamps?color=oak', clicks: 60, impressions: 600, position: 3, score: 0 },
  {
    query: 'reading lamp for a small desk',
    path: '/a-path-that-is-rather-longer-than-thirty-characters',
    clicks: 45,
    impressions: 1_500,
    position: 10,
    score: 18.3,
  },
  { query: 'floor lamp', path: '/average', clicks: 30, impressions: 2_000, position: 12, score: 41.7 },
  { query: 'bed lamp', path: '/needs-work', clicks: 5, impressions: 1_000, position: 18, score: 16.4 },
  { query: 'wall lamp', path: '/wall', clicks: 4, impressions: 170, position: 9, score: 7.2 },
  ...Array.from({ length: fillers }, (_, index) => ({
    query: `lamp ${index}`,
    path: `/lamps/${index}`,
    clicks: 1,
    impressions: 50,
    position: 14,
    score: 1.1,
  })),
  { query: 'antique lamps', path: '/antique', clicks: 0, impressions: 80, position: 25, score: 2.5 },
] as const

const addressOf = (path: string): string => at(path.slice(1))

export const foundPages: readonly Page[] = found.map(({ path, clicks, impressions, position }) =>
  pageOf(addressOf(path), figuresOf(clicks, impressions, position)),
)

export const foundKeywords: readonly Keyword[] = found.map(({ query, path, clicks, impressions, position, score }) =>
  keywordOf(query, figuresOf(clicks, impressions, position), { page: addressOf(path), opportunityScore: score }),
)

/** The screens of a property that was found by these. */
export const answerFound = (desk: Desk): void => answerLists(desk, { pages: foundPages, keywords: foundKeywords })
