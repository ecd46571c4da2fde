import type { Segments } from '../../../src/contract/analytics.ts'
import { answerLists, daysOf, figuresOf, manyKeywords, manyPages } from './analytics.ts'
import type { Desk } from './desk.ts'
import { keepRules, type KeptRules } from './rules.ts'

const countryCodes = ['gbr', 'usa', 'deu', 'fra', 'ita', 'esp', 'nld', 'swe', 'nor', 'dnk', 'pol', 'irl']

const segment = (name: string, clicks: number): Segments[number] => ({
  name,
  ...figuresOf(clicks, clicks * 25, 8.1),
  previous: figuresOf(clicks - 100, clicks * 24, 8.6),
})

export const devices: Segments = ['MOBILE', 'DESKTOP', 'TABLET'].map((name, index) => segment(name, 9_000 - index * 4_000))
/** Two more than there are bars. */
export const countries: Segments = countryCodes.map((name, index) => segment(name, 6_000 - index * 450))

/** All tabs of the insights for a property with many pages and keywords, and the rules that its owner sets up. */
export function answerInsights(desk: Desk): KeptRules {
  answerLists(desk, { pages: manyPages, keywords: manyKeywords })
  desk.answer('GET /api/analytics/segments', ({ query }) => {
    const rows = query.get('dimension') === 'device' ? devices : countries
    return rows.map((row) => (query.get('compare') === 'none' ? { ...row, previous: null } : row))
  })
  desk.answer('GET /api/analytics/days', ({ query }) => daysOf(query, figuresOf(1_720, 43_000, 8.1), figuresOf(1_480, 41_000, 8.6)))
  return keepRules(desk)
}
