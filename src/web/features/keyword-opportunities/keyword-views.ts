import type { SortOrder } from '../../../contract/analytics.ts'
import type { View, ViewSpec } from '../../lib/address-view.ts'
import { periodView as period } from '../../widgets/analytics/period-view.ts'

// Each tab's URL parameters. Names are shared, so that a choice made in one tab applies in the others that have it.

export const tabs = ['opportunities', 'analysis', 'movement', 'competing', 'brand'] as const
export type Tab = (typeof tabs)[number]

export const positionChoices = ['5-15', '11-20', 'all'] as const
export const brandChoices = ['all', 'brand', 'non-brand'] as const
export const sortChoices = ['opportunityScore', 'impressions', 'position', 'clicks'] as const
/** Lost queries have no score. */
export const movementSortChoices = ['clicks', 'impressions', 'position'] as const
export const presenceChoices = ['new', 'lost'] as const
export const brandMetricChoices = ['clicks', 'impressions'] as const

/** `usual`: best first. */
const orderChoices = ['usual', 'reversed'] as const

const filters = { ...period, brand: brandChoices, segment: 'text', search: 'text' } as const

export const tabView = { tab: tabs } as const satisfies ViewSpec
export const opportunitiesView = {
  ...filters,
  position: positionChoices,
  sort: sortChoices,
  order: orderChoices,
} as const satisfies ViewSpec
export const analysisView = { ...filters, sort: sortChoices, order: orderChoices } as const satisfies ViewSpec
export const movementView = {
  ...filters,
  presence: presenceChoices,
  sort: movementSortChoices,
  order: orderChoices,
} as const satisfies ViewSpec
export const competingView = filters
export const brandView = { ...period, metric: brandMetricChoices } as const satisfies ViewSpec

export type FiltersView = View<typeof filters>
export type PositionChoice = (typeof positionChoices)[number]
export type SortChoice = (typeof sortChoices)[number]
type Sorted = { sort: SortChoice; order: (typeof orderChoices)[number] }

/** The best position is the lowest number. */
const usualOrder = (sort: SortChoice): SortOrder => (sort === 'position' ? 'asc' : 'desc')

export function orderOf({ sort, order }: Sorted): SortOrder {
  const usual = usualOrder(sort)
  if (order === 'usual') return usual
  return usual === 'asc' ? 'desc' : 'asc'
}

/** The effect of pressing a column header: sorts by it, best first, or reverses the order if already sorted by it. */
export function sortedBy<Choice extends SortChoice>(view: Sorted, sort: Choice): { sort: Choice; order: Sorted['order'] } {
  return { sort, order: view.sort === sort && view.order === 'usual' ? 'reversed' : 'usual' }
}
