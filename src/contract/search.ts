import { z } from 'zod'
import { propertyQuery } from './common.ts'
import { figures } from './analytics.ts'
import { endpoint } from './endpoint.ts'

/** A property's keywords and pages containing a text, by clicks in the last 28 complete days; at most 8 each. */
export const searchQuery = propertyQuery.extend({
  q: z
    .string({ error: 'Enter a search term' })
    .trim()
    .min(1, 'Enter a search term')
    .max(200, 'A search term can have up to 200 characters'),
})
export const searchResults = z.object({
  keywords: z.array(figures.extend({ query: z.string() })),
  pages: z.array(figures.extend({ page: z.string() })),
})
export type SearchResults = z.infer<typeof searchResults>

export const searchEndpoints = {
  find: endpoint({ method: 'GET', path: '/api/search', access: 'session', query: searchQuery, answer: searchResults }),
}
