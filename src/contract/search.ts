import { z } from 'zod'
import { propertyQuery } from './common.ts'
import { figures } from './figures.ts'
import { signedIn } from './endpoint.ts'
import { comparison, historyRange } from './range.ts'

/** Searched from screens that show no days of their own. */
export const searchedRange = '28d'

const tooLong = 'A search term can have up to 200 characters'
/** A property's keywords and pages containing a text, by clicks in these days; at most 8 each. Lists of the same comparison share its work. */
export const searchQuery = propertyQuery.extend({
  range: historyRange.default(searchedRange),
  compare: comparison.default('previous'),
  q: z
    .string({ error: 'Enter a search term' })
    .max(400, { abort: true, error: tooLong })
    .trim()
    .min(1, 'Enter a search term')
    .max(200, tooLong),
})
export const searchResults = z.object({
  keywords: z.array(figures.extend({ query: z.string() })),
  pages: z.array(figures.extend({ page: z.string() })),
})
export type Searched = Pick<z.infer<typeof searchQuery>, 'q' | 'range' | 'compare'>
export type SearchResults = z.infer<typeof searchResults>

export const searchEndpoints = {
  find: signedIn.get('/api/search', { query: searchQuery, answer: searchResults }),
}
