import { type Filter, type Grouping, writeFilters } from '../../../contract/explore/explore.ts'
import { type HistoryAsked, writeRange } from '../../../contract/history.ts'
import { paths } from '../../paths.ts'

/** Everything about one keyword, over the same days; `range` as `writeRange` has it. */
export const keywordAddress = (keyword: string, range: string): string =>
  `${paths.keywordOpportunities}?${new URLSearchParams({ tab: 'analysis', keyword, range })}`

/** Everything about one page, over the same days. */
export const pageAddress = (page: string, range: string): string => `${paths.pageAnalytics}?${new URLSearchParams({ page, range })}`

type Explored = Pick<HistoryAsked, 'range' | 'compare'> & {
  property: string
  by: Grouping
  filters?: readonly Filter[]
  /** Those that changed most, instead of those with most clicks. */
  changed?: 'most' | 'least'
}

/** The explorer with these rows, over the same days. */
export const exploreAddress = ({ property, range, compare, by, filters = [], changed }: Explored): string =>
  `${paths.explore}?${new URLSearchParams({
    property,
    range: writeRange(range),
    compare,
    by,
    ...(filters.length > 0 && { where: writeFilters(filters) }),
    ...(changed && { sort: 'clicksChange', ...(changed === 'least' && { order: 'asc' }) }),
  })}`
