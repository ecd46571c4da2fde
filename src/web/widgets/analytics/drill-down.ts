import type { SearchType } from '../../../contract/common.ts'
import { type Filter, type Grouping, writeFilters } from '../../../contract/explore/explore.ts'
import { defaultHistory, type HistoryAsked, writeRange } from '../../../contract/history.ts'
import { writeComparison } from '../../../contract/range.ts'
import { paths } from '../../paths.ts'

/** What a screen shows that the details of one of its keywords or pages show too. */
export type DrilledFrom = HistoryAsked & {
  property: string
  /** A segment's id; empty for none. */
  segment: string
}

const carried = ({ property, range, compare, grain, segment }: DrilledFrom) => ({
  property,
  range: writeRange(range),
  compare: writeComparison(compare),
  ...(grain !== defaultHistory.grain && { grain }),
  ...(segment !== '' && { segment }),
})

/** Everything about one keyword, over the same days. */
export const keywordAddress = (keyword: string, from: DrilledFrom): string =>
  `${paths.keywordOpportunities}?${new URLSearchParams({ tab: 'analysis', keyword, ...carried(from) })}`

/** Everything about one page, over the same days. */
export const pageAddress = (page: string, from: DrilledFrom): string =>
  `${paths.pageAnalytics}?${new URLSearchParams({ page, ...carried(from) })}`

type Explored = Pick<HistoryAsked, 'range' | 'compare'> & {
  property: string
  by: Grouping
  /** Web, if absent. */
  type?: SearchType
  /** A segment's id; empty for none. */
  segment?: string
  filters?: readonly Filter[]
  /** Sorts by largest change instead of most clicks. */
  changed?: 'most' | 'least'
}

/** The explorer with these rows, over the same days. */
export const exploreAddress = ({ property, range, compare, by, type, segment = '', filters = [], changed }: Explored): string =>
  `${paths.explore}?${new URLSearchParams({
    property,
    range: writeRange(range),
    compare: writeComparison(compare),
    by,
    ...(type !== undefined && { type }),
    ...(segment !== '' && { segment }),
    ...(filters.length > 0 && { where: writeFilters(filters) }),
    ...(changed && { sort: 'clicksChange', ...(changed === 'least' && { order: 'asc' }) }),
  })}`
