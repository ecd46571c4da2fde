import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { searchResults } from '../../contract/search.ts'
import { askFor } from './client.ts'
import { searchParams } from './search-params.ts'

const resource = '/api/search'

/** Most characters that can be looked for. */
export const longestSearch = 200

/** Keywords and pages of a property that hold a text; what was found before stays until the new answer is there. */
export function searchQuery(property: string, text: string) {
  return queryOptions({
    queryKey: [resource, property, text],
    queryFn: ({ signal }) => askFor(searchResults, `${resource}?${searchParams({ property, q: text })}`, { signal }),
    placeholderData: keepPreviousData,
  })
}
