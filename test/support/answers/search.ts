import type { SearchResults } from '../../../src/contract/search.ts'
import type { Support } from '../../../src/contract/support.ts'
import { answerLists, answerPanels, figuresOf, keywordOf, pageOf } from './analytics.ts'
import type { Asked, Desk } from './desk.ts'
import { answerEveryScreen } from './shell.ts'
import { propertyOf, shop, signIn, syncOf, userOf } from './usual.ts'

/** The property that is searched. */
export const searched = 'https://palette.example/'
export const longPage = `${searched}lamps/floor-lamps/arched-oak-reading-lamp-with-linen-shade-and-a-rather-long-name?color=natural`
export const sofas = `${searched}sofas?sort=price&order=asc`

/** What can be found, with its 28-day figures. */
const rows = [
  { query: 'reading lamp', page: longPage, ...figuresOf(1_400, 14_000, 4) },
  { query: 'oak lamp', page: longPage, ...figuresOf(140, 2_800, 6) },
  { query: 'sofa & lamp 50%', page: sofas, ...figuresOf(28, 1_120, 9) },
]
const pages = [
  { page: longPage, ...figuresOf(1_540, 16_800, 4.3) },
  { page: sofas, ...figuresOf(28, 1_120, 9) },
]

/** The names that contain the typed text, most clicks first. */
export function found({ query }: Pick<Asked, 'query'>): SearchResults {
  const typed = (query.get('q') ?? '').toLowerCase()
  return {
    keywords: rows.filter((row) => row.query.includes(typed)).map(({ page: _page, ...row }) => row),
    pages: pages.filter(({ page }) => page.toLowerCase().includes(typed)),
  }
}

/** Shows that property to a user; every screen has something about what can be found there. */
export function answerSearch(desk: Desk): void {
  answerEveryScreen(desk)
  answerLists(desk, {
    keywords: rows.map(({ query, page, ...figures }) => keywordOf(query, figures, { page })),
    pages: pages.map(({ page, ...figures }) => pageOf(page, figures)),
  })
  answerPanels(desk, { query: 'reading lamp', page: longPage })
  signIn(desk, userOf({ selectedProperty: searched, gscProperties: [propertyOf({ name: searched })] }))
  desk.answer('GET /api/sync', [syncOf({ property: searched })])
  desk.answer('GET /api/search', found)
}

/** Help is available, with the details that would be sent along. */
export const supportOf = (change: Partial<Support> = {}): Support => ({
  problem: null,
  answered: 'within 5 working days',
  email: 'ann@example.test',
  copied: true,
  diagnostics: [
    { id: 'plan', label: 'Plan', value: 'Free' },
    { id: 'property', label: 'Property', value: shop },
    {
      id: 'browser',
      label: 'Browser',
      value: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Safari/537.36',
    },
  ],
  ...change,
})
