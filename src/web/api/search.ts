import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { searchEndpoints as endpoints } from '../../contract/search.ts'
import { call } from './client.ts'

/** Most characters that can be looked for. */
export const longestSearch = 200

/** Keywords and pages of a property that hold a text; what was found before stays until the new answer is there. */
export function searchQuery(property: string, text: string) {
  return queryOptions({
    queryKey: [endpoints.find.path, property, text],
    queryFn: ({ signal }) => call(endpoints.find, { query: { property, q: text }, signal }),
    placeholderData: keepPreviousData,
  })
}
