import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import { brandList, type BrandList, brandSplit } from '../../contract/brand.ts'
import type { PeriodParams } from './analytics.ts'
import { ask, askFor } from './client.ts'
import { searchParams } from './search-params.ts'

const resource = '/api/brand'
const splitResource = `${resource}/split`
/** Reads whose rows are told apart by the brand. */
const dependents = [splitResource, '/api/keywords']

const of = (property: string): string => `${resource}?${searchParams({ property })}`

/** The words that make a query one of the brand. */
export function brandListQuery(property: string) {
  return queryOptions({
    queryKey: [resource, property],
    queryFn: ({ signal }) => askFor(brandList, of(property), { signal }),
  })
}

export const saveBrandList = (property: string, terms: readonly string[]): Promise<BrandList> =>
  askFor(brandList, of(property), { method: 'PUT', body: { terms } })

/** What people find who look for the brand, and what the others find; null while no day is stored. */
export function brandSplitQuery(property: string, params: PeriodParams) {
  return queryOptions({
    queryKey: [splitResource, property, params],
    queryFn: ({ signal }) => ask(brandSplit.nullable(), `${splitResource}?${searchParams({ property, ...params })}`, { signal }),
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
