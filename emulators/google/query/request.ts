import type { SearchType } from '../figures/profiles.ts'

export type Dimension = 'date' | 'hour' | 'query' | 'page' | 'country' | 'device' | 'searchAppearance'
export type FilterDimension = 'query' | 'page' | 'country' | 'device' | 'searchAppearance'
export type Operator = 'equals' | 'notEquals' | 'contains' | 'notContains' | 'includingRegex' | 'excludingRegex'
export type DataState = 'final' | 'all' | 'hourly_all'
export type Aggregation = 'byPage' | 'byProperty'

export interface Filter {
  readonly dimension: FilterDimension
  readonly operator: Operator
  readonly expression: string
}

/** A fully validated search analytics query. Days are day numbers, inclusive. */
export interface QueryRequest {
  readonly startDay: number
  readonly endDay: number
  readonly dimensions: readonly Dimension[]
  readonly type: SearchType
  readonly dataState: DataState
  readonly aggregation: Aggregation
  readonly filters: readonly Filter[]
  readonly rowLimit: number
  readonly startRow: number
}
