import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type HistoryAsked, writeComparison, writeRange } from '../../contract/range.ts'
import { searchEndpoints as endpoints } from '../../contract/search.ts'
import { call } from './client.ts'

/** Maximum length of a search text in characters. */
export const longestSearch = 200

/** A property's keywords and pages containing a text, on these days; keeps the previous results until the new answer arrives. */
export function searchQuery(property: string, text: string, { range, compare }: Omit<HistoryAsked, 'grain'>) {
  const days = { range: writeRange(range), compare: writeComparison(compare) }
  return queryOptions({
    queryKey: [endpoints.find.path, property, text, days],
    queryFn: ({ signal }) => call(endpoints.find, { query: { property, q: text, ...days }, signal }),
    placeholderData: keepPreviousData,
  })
}
