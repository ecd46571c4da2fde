import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { brandEndpoints as endpoints, type BrandList } from '../../contract/brand.ts'
import { type PeriodParams, said } from './analytics.ts'
import { call } from './client.ts'

/** The words that make a query branded. */
export function brandListQuery(property: string) {
  return queryOptions({
    queryKey: [endpoints.read.path, property],
    queryFn: async ({ signal }): Promise<BrandList> =>
      (await call(endpoints.read, { query: { property }, signal })) ?? { terms: [], suggested: false },
  })
}

export const saveBrandList = (property: string, terms: readonly string[]): Promise<BrandList> =>
  call(endpoints.save, { query: { property }, body: { terms: [...terms] } })

/** Figures of branded searches and of others; null while no day is stored. */
export function brandSplitQuery(property: string, params: PeriodParams) {
  return queryOptions({
    queryKey: [endpoints.split.path, property, params],
    queryFn: ({ signal }) => call(endpoints.split, { query: { property, ...said(params) }, signal }),
    placeholderData: keepPreviousData,
  })
}
