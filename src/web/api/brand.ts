import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import { brandEndpoints as endpoints, type BrandList } from '../../contract/brand.ts'
import { keywordEndpoints } from '../../contract/keywords.ts'
import { type PeriodParams, said } from './analytics.ts'
import { call } from './client.ts'

/** Reads whose rows are told apart by the brand. */
const dependents = [endpoints.split.path, keywordEndpoints.list.path]

/** The words that make a query one of the brand. */
export function brandListQuery(property: string) {
  return queryOptions({
    queryKey: [endpoints.read.path, property],
    queryFn: async ({ signal }): Promise<BrandList> =>
      (await call(endpoints.read, { query: { property }, signal })) ?? { terms: [], suggested: false },
  })
}

export const saveBrandList = (property: string, terms: readonly string[]): Promise<BrandList> =>
  call(endpoints.save, { query: { property }, body: { terms: [...terms] } })

/** What people find who look for the brand, and what the others find; null while no day is stored. */
export function brandSplitQuery(property: string, params: PeriodParams) {
  return queryOptions({
    queryKey: [endpoints.split.path, property, params],
    queryFn: ({ signal }) => call(endpoints.split, { query: { property, ...said(params) }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Asks again for everything of a property that the brand list decides about. */
export async function reloadByBrand(client: QueryClient, property: string): Promise<void> {
  await client.invalidateQueries({
    predicate: ({ queryKey: [path, about] }) =>
      about === property && typeof path === 'string' && dependents.some((start) => path.startsWith(start)),
  })
}
