import type { SearchResults } from '../../contract/search.ts'
import type { CompleteProperty } from './asked-property.ts'
import { type AnalyticsParts, periodsOf } from './parts.ts'
import { windowQueries } from '../facts/questions/window-queries.ts'
import { windowPages } from '../facts/questions/window-pages.ts'

/** How many days the command palette searches, and how many results of each kind it shows. */
const paletteDays = 28
const paletteRows = { limit: 8, offset: 0 }

/** Finds keywords and pages that contain a text (OPEN-POINTS 1). */
export async function findInProperty(parts: AnalyticsParts, property: CompleteProperty, search: string): Promise<SearchResults> {
  const { facts, windows } = parts
  const window = (await windows.of(property, await periodsOf(parts, property, { days: paletteDays, compare: 'previous' }))).id
  const byClicks = { window, search, sort: 'clicks', order: 'desc' } as const
  const [keywords, pages] = await Promise.all([
    facts.ask(windowQueries, { ...byClicks, presence: 'current', brand: 'all', brandTerms: [], scored: null }, paletteRows),
    facts.ask(windowPages, byClicks, paletteRows),
  ])
  return {
    keywords: keywords.map(({ query, clicks, impressions, ctr, position }) => ({ query, clicks, impressions, ctr, position })),
    pages: pages.map(({ page, clicks, impressions, ctr, position }) => ({ page, clicks, impressions, ctr, position })),
  }
}
