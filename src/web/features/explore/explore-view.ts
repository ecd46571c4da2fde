import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { hasPosition, type SearchType, searchTypes } from '../../../contract/common.ts'
import {
  type Explored,
  type ExploreRow,
  type ExploreSort,
  exploreSorts,
  type Filter,
  type Grouping,
  groupings,
  isBound,
  longestWhere,
  readFilters,
  writeFilters,
} from '../../../contract/explore/explore.ts'
import { type HistoryAsked, writeRange } from '../../../contract/history.ts'
import { writeComparison } from '../../../contract/range.ts'
import type { SortOrder } from '../../../contract/analytics.ts'
import { addDays } from '../../../core/analytics/days.ts'
import { grainOfExploration } from '../../../core/analytics/exploration.ts'
import { type ExploreParams, savedQuery } from '../../api/explore.ts'
import type { View } from '../../lib/address-view.ts'
import { daysFrom } from '../../lib/dates.ts'
import { type MetricName, shownIn, writeShown } from '../../lib/metric.ts'
import { askingFor, periodIn, periodView } from '../../widgets/analytics/period-view.ts'
import { comparableOrder } from '../../widgets/analytics/use-list-view.ts'
import { useView } from '../../widgets/analytics/use-view.ts'

/** The explorer's URL parameters besides its property: the complete state, so that a link shows the same. */
const spec = {
  ...periodView,
  type: searchTypes,
  by: groupings,
  segment: 'text',
  where: 'text',
  sort: exploreSorts,
  order: ['desc', 'asc'],
  metrics: 'text',
} as const

export type ExploreView = HistoryAsked & {
  type: SearchType
  by: Grouping
  /** The id of one of the person's segments; empty without one. */
  segment: string
  /** That segment's filters. */
  segmentFilters: readonly Filter[]
  filters: readonly Filter[]
  /** All filters as in the URL, if not all of them can be used: the server refuses them, instead of ignoring some. */
  unfit: string
  sort: ExploreSort
  order: SortOrder
  /** The metrics in the chart, at least one. */
  shown: readonly MetricName[]
}
export type ShowExplored = (change: Partial<ExploreView>, options?: { replace?: boolean }) => void

export function useExploreView(): [ExploreView, ShowExplored] {
  const [{ where, days, metrics, ...said }, show] = useView(spec, comparedOrder)
  const { data: saved } = useQuery({ ...savedQuery, enabled: said.segment !== '' })
  const content = saved?.find(({ id, kind }) => kind === 'segment' && id === said.segment)?.content ?? ''
  const view = useMemo((): ExploreView => {
    return {
      ...said,
      by: groupedBy(said),
      ...sortedBy(said),
      ...periodIn({ ...said, days }),
      segmentFilters: readFilters(content).filters,
      ...filtersIn(where),
      shown: shownIn(metrics, said.type),
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `said` is a new object each time
  }, [days, where, metrics, content, ...Object.values(said)])
  const change = useCallback<ShowExplored>((changed, options) => show(written(changed), options), [show])
  return [view, change]
}

/** Rows aren't sorted by changes that no column shows. */
const comparedOrder = (view: View<typeof spec>) => comparableOrder<typeof view>(view, firstSort(groupedBy(view)))

export function filtersIn(where: string): Pick<ExploreView, 'filters' | 'unfit'> {
  const { filters, problem } = readFilters(where)
  return { filters, unfit: problem === null && where.length <= longestWhere ? '' : where }
}

/** Queries, if nothing else is named and the search type has them. */
const groupedBy = ({ by, type }: Pick<ExploreView, 'by' | 'type'>): Grouping =>
  by !== groupings[0] || 'grain' in grainOfExploration({ by, type, where: [] }) ? by : 'page'

/** Some search types have no positions to sort by. */
export const sortedBy = ({
  by,
  type,
  sort,
  order,
}: Pick<ExploreView, 'by' | 'type' | 'sort' | 'order'>): Pick<ExploreView, 'sort' | 'order'> =>
  !hasPosition(type) && (sort === 'position' || sort === 'positionChange') ? firstSort(by) : { sort, order }

/** In URL form. */
function written({ range, compare, grain, filters, unfit: _unfit, shown, ...others }: Partial<ExploreView>) {
  return {
    ...others,
    ...askingFor({ range, compare, grain }),
    ...(filters !== undefined && { where: writeFilters(filters) }),
    ...(shown !== undefined && { metrics: writeShown(shown) }),
  }
}

export function paramsOf(
  property: string,
  { type, by, compare, grain, sort, order, segment, range, filters, unfit }: ExploreView,
): ExploreParams {
  const asked = {
    property,
    type,
    by,
    compare: writeComparison(compare),
    grain,
    sort,
    order,
    range: writeRange(range),
    where: unfit || writeFilters(filters),
  }
  return segment === '' ? asked : { ...asked, segment }
}

type Question = Pick<ExploreView, 'by' | 'type' | 'segmentFilters'> & { filters: readonly Pick<Filter, 'field'>[] }
/** Whether stored figures can answer such a question. */
export const isAnswered = ({ by, type, segmentFilters, filters }: Question): boolean =>
  'grain' in grainOfExploration({ by, type, where: [...segmentFilters, ...filters] })

/** The default order: newest date first, else most clicks. */
export const firstSort = (by: Grouping): Pick<ExploreView, 'sort' | 'order'> =>
  by === 'date' ? { sort: 'name', order: 'desc' } : { sort: 'clicks', order: 'desc' }

/** Switches the search type, keeping the parts of the question that its figures can answer. */
export function ofType(view: ExploreView, type: SearchType): Partial<ExploreView> {
  const ask = (by: Grouping, filters: readonly Filter[]) => isAnswered({ by, type, segmentFilters: [], filters })
  const by = ask(view.by, []) ? view.by : 'page'
  const filters = view.filters.filter((filter) => ask(by, [filter]))
  return {
    type,
    by,
    filters,
    ...(!ask(by, view.segmentFilters) && { segment: '' }),
    ...(by === view.by ? sortedBy({ ...view, type }) : firstSort(by)),
  }
}

/** Matches pages in a folder of their site. */
const inFolder = '^[^/?#]+://[^/?#]+/[^/?#]+/'
const isSite = (folder: string): boolean => /^[^/?#]+:\/\/[^/?#]+\/$/.test(folder)

/** The view behind a row: the same days filtered to it, grouped by something else. */
export function narrowed(
  view: ExploreView,
  { name, page, end }: Pick<ExploreRow, 'name' | 'page' | 'end'>,
  { period, compared }: Pick<Explored, 'period' | 'compared'>,
): Partial<ExploreView> {
  if (view.by === 'date')
    return {
      range: { start: name, end: end ?? name },
      // What the row is compared with: its counterpart, not the days before it.
      ...(compared !== null && view.compare !== 'year' && { compare: { start: addDays(compared.start, daysFrom(period.start, name)) } }),
      // Figures of a day, not of its rows.
      filters: view.filters.filter(({ operator }) => !isBound(operator)),
      by: groupings.find((by) => by !== 'date' && isAnswered({ ...view, by })) ?? 'date',
      ...firstSort('query'),
    }
  const is = (field: Filter['field'], operator: Filter['operator'], value: string, not = false): Filter => ({ field, not, operator, value })
  const added: Record<Exclude<Grouping, 'date'>, { filters: Filter[]; next: readonly Grouping[] }> = {
    query: { filters: [is('query', 'is', name)], next: ['page'] },
    page: { filters: [is('page', 'is', name)], next: ['query', 'date'] },
    folder: { filters: [is('page', 'starts', name), ...(isSite(name) ? [is('page', 'matches', inFolder, true)] : [])], next: ['page'] },
    query_page: { filters: [is('query', 'is', name), is('page', 'is', page ?? '')], next: ['date'] },
    country: { filters: [is('country', 'is', name)], next: ['date'] },
    device: { filters: [is('device', 'is', name)], next: ['date'] },
    search_appearance: { filters: [is('search_appearance', 'is', name)], next: ['date'] },
  }
  const { filters: more, next } = added[view.by]
  const filters = [...view.filters, ...more]
  const by = next.find((each) => isAnswered({ ...view, by: each, filters })) ?? 'date'
  return { filters, by, ...firstSort(by) }
}

/** The URL query that shows a view of a property. */
export function addressOfView(property: string, view: ExploreView): string {
  const said = written(view)
  const params = new URLSearchParams({ property })
  for (const [name, kind] of Object.entries(spec)) {
    const value = said[name as keyof typeof spec] ?? ''
    if (value !== (kind === 'text' ? '' : kind[0])) params.set(name, value)
  }
  return `?${params}`
}
