import type { Grain } from '../../contract/analytics.ts'
import type { SearchType } from '../../contract/common.ts'
import type { FilterField, Grouping } from '../../contract/explore/explore.ts'

type Dimension = 'query' | 'page' | 'country' | 'device'

const ofGrouping: Record<Grouping, readonly Dimension[]> = {
  query: ['query'],
  page: ['page'],
  folder: ['page'],
  query_page: ['query', 'page'],
  country: ['country'],
  device: ['device'],
  date: [],
}
const ofFilter: Partial<Record<FilterField, Dimension>> = {
  query: 'query',
  brand: 'query',
  page: 'page',
  country: 'country',
  device: 'device',
}

/** Figures that Google has of a search type (docs/google-api.md). */
export const hasPosition = (type: SearchType): boolean => type !== 'discover'
const lacks = (type: SearchType, dimension: Dimension): boolean => type === 'discover' && (dimension === 'query' || dimension === 'device')

const names: Record<Dimension, string> = { query: 'queries', page: 'pages', country: 'countries', device: 'devices' }

type Asked = { by: Grouping; type: SearchType; where: readonly { field: FilterField }[] }

/** The stored grain whose figures answer, or why there is none: Google gives countries and devices for the whole property only. */
export function grainOfExploration({ by, type, where }: Asked): { grain: Grain } | { problem: string } {
  const dimensions = new Set([...ofGrouping[by], ...where.flatMap(({ field }) => ofFilter[field] ?? [])])
  for (const dimension of dimensions) if (lacks(type, dimension)) return { problem: `Discover has no figures for ${names[dimension]}` }
  if (!hasPosition(type) && where.some(({ field }) => field === 'position')) return { problem: 'Discover has no positions' }
  const alone = [...dimensions].find((dimension) => dimension === 'country' || dimension === 'device')
  const other = [...dimensions].find((dimension) => dimension !== alone)
  if (alone !== undefined && other !== undefined) return { problem: `Google’s figures by ${alone} aren’t broken down by ${other}` }
  if (alone !== undefined) return { grain: alone }
  if (dimensions.has('query')) return { grain: dimensions.has('page') ? 'query_page' : 'query' }
  return { grain: dimensions.has('page') ? 'page' : 'total' }
}
