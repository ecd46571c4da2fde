import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { searchEndpoints as endpoints } from '../../contract/search.ts'
import { call } from './client.ts'

/** Maximum length of a search text in characters. */
export const longestSearch = 200

/** A property's keywords and pages containing a text; keeps the previous results until the new answer arrives. */
export function searchQuery(property: string, text: string) {
  return queryOptions({
    queryKey: [endpoints.find.path, property, text],
    queryFn: ({ signal }) => call(endpoints.find, { query: { property, q: text }, signal }),
    placeholderData: keepPreviousData,
  })
}
