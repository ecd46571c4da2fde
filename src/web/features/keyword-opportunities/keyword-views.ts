import { changeSorts, type SortOrder } from '../../../contract/analytics.ts'
import type { View, ViewSpec } from '../../lib/address-view.ts'
import { periodView as period } from '../../widgets/analytics/period-view.ts'
import { nameId, type TableSort } from '../../widgets/table/columns.ts'

// Each tab's URL parameters. Names are shared, so that a choice made in one tab applies in the others that have it.

export const tabs = ['opportunities', 'analysis', 'movement', 'competing', 'brand'] as const
export type Tab = (typeof tabs)[number]

export const positionChoices = ['5-15', '11-20', 'all'] as const
export const brandChoices = ['all', 'brand', 'non-brand'] as const
/** The options of SPEC §2's list; the columns also sort by the others, and by their change. */
export const sortChoices = ['opportunityScore', 'impressions', 'position', 'clicks'] as const
export const keywordSorts = [...sortChoices, 'ctr', 'query', ...changeSorts] as const
/** The default is what is at stake: impressions of all pages but the strongest. */
export const competingSortChoices = ['atStake', 'impressions', 'clicks', 'position'] as const
export const competingSorts = [...competingSortChoices, 'ctr', 'query', ...changeSorts] as const
/** Lost queries have no score, and neither new nor lost ones a change. */
export const movementSortChoices = ['clicks', 'impressions', 'position'] as const
export const movementSorts = [...movementSortChoices, 'ctr', 'query'] as const
export const presenceChoices = ['new', 'lost'] as const
export const brandMetricChoices = ['clicks', 'impressions'] as const

/** `usual`: best first. */
const orderChoices = ['usual', 'reversed'] as const

const filters = { ...period, brand: brandChoices, segment: 'text', search: 'text' } as const

export const tabView = { tab: tabs } as const satisfies ViewSpec
export const opportunitiesView = {
  ...filters,
  position: positionChoices,
  sort: keywordSorts,
  order: orderChoices,
} as const satisfies ViewSpec
export const analysisView = { ...filters, sort: keywordSorts, order: orderChoices } as const satisfies ViewSpec
export const movementView = {
  ...filters,
  presence: presenceChoices,
  sort: movementSorts,
  order: orderChoices,
} as const satisfies ViewSpec
export const competingView = { ...filters, sort: competingSorts, order: orderChoices } as const satisfies ViewSpec
export const brandView = { ...period, metric: brandMetricChoices } as const satisfies ViewSpec

export type FiltersView = View<typeof filters>
export type PositionChoice = (typeof positionChoices)[number]
export type SortChoice = (typeof keywordSorts)[number] | (typeof competingSorts)[number]
export type Sorted<Choice extends SortChoice = (typeof keywordSorts)[number]> = { sort: Choice; order: (typeof orderChoices)[number] }

/** The best position is the lowest number. */
const usualOrder = (sort: SortChoice): SortOrder => (sort === 'position' || sort === 'query' ? 'asc' : 'desc')

export function orderOf({ sort, order }: Sorted<SortChoice>): SortOrder {
  const usual = usualOrder(sort)
  if (order === 'usual') return usual
  return usual === 'asc' ? 'desc' : 'asc'
}

/** The order as a table has it, where a keyword is the row's name; and the orders that the server sorts by. */
export const asTableSort = (sorted: Sorted<SortChoice>): TableSort => ({ by: columnOf(sorted.sort), order: orderOf(sorted) })
export const columnsOf = (choices: readonly SortChoice[]): string[] => choices.map(columnOf)
const columnOf = (sort: SortChoice): string => (sort === 'query' ? nameId : sort)

/** The other way around: what was chosen in a table that offers these. */
export function sortedBy<Choice extends SortChoice>(choices: readonly Choice[], { by, order }: TableSort): Sorted<Choice> | null {
  const sort = choices.find((choice) => columnOf(choice) === by)
  return sort === undefined ? null : { sort, order: order === usualOrder(sort) ? 'usual' : 'reversed' }
}
