import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { alertConditionEndpoints } from '../../contract/alerts/conditions.ts'
import { brandEndpoints as endpoints, type BrandList } from '../../contract/brand.ts'
import { type PeriodParams, reloadFigures, said } from './analytics.ts'
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

/** Reloads what a segment by brand can limit: figures, and what rules would have found. */
export async function reloadAfterBrandChange(client: QueryClient): Promise<void> {
  const ofRules = [alertConditionEndpoints.backtest.path, alertConditionEndpoints.proposal.path]
  await Promise.all([reloadFigures(client), ...ofRules.map((path) => client.invalidateQueries({ queryKey: [path] }))])
}
