import { z } from 'zod'
import { clicksTrend, listLimit, numberFrom, sortOrder } from '../analytics.ts'
import { comparedFigures, counts } from '../figures.ts'
import { segmentId } from '../common.ts'
import { isoDate, orElse, propertyQuery, rowsOf, searchType, textUpTo } from '../common.ts'
import { signedIn } from '../endpoint.ts'
import { history, historyQuery } from '../history.ts'
import { period } from '../metrics.ts'

/** What rows are grouped by. A folder is the first level of a page's path; a date is a day, week or month, depending on `grain`. */
export const groupings = ['query', 'page', 'folder', 'query_page', 'country', 'device', 'search_appearance', 'date'] as const
export type Grouping = (typeof groupings)[number]

/** `matches`: an RE2 regular expression, as in Search Console. */
export const textOperators = ['contains', 'is', 'starts', 'matches'] as const
/** Bounds of a row's figure, inclusive; CTR in percent. */
export const boundOperators = ['from', 'to'] as const
type Operator = (typeof textOperators)[number] | (typeof boundOperators)[number]

/** What can be filtered, and how. A brand filter is `yes` or `no`. */
export const filterFields = {
  query: textOperators,
  page: textOperators,
  brand: ['is'],
  country: ['is'],
  device: ['is'],
  search_appearance: ['is'],
  clicks: boundOperators,
  impressions: boundOperators,
  ctr: boundOperators,
  position: boundOperators,
} as const satisfies Record<string, readonly Operator[]>
export type FilterField = keyof typeof filterFields
export const isBound = (operator: Operator): operator is 'from' | 'to' => operator === 'from' || operator === 'to'

/**
 * One filter; `not` inverts it, which figures don't need. Of search appearances only a single one can be chosen: a result may have several,
 * so their figures don't add up.
 */
export type Filter = { field: FilterField; not: boolean; operator: Operator; value: string }

export const mostFilters = 20
/** Maximum length of a filter's value in characters: of a whole page or keyword, and of what is searched for. */
export const longestValue = 2_048
const longestSearched = 1_000
export const longestWhere = 6_000

const writeFilter = ({ field, not, operator, value }: Filter): string => `${field} ${not ? 'not ' : ''}${operator} ${value}`

/** Filters as written in a URL, one per line and each only once: `query not contains lamp`, `clicks from 10`. */
export const writeFilters = (filters: readonly Filter[]): string => [...new Set(filters.map(writeFilter))].join('\n')

/** A field as people read it. */
const spoken = (field: FilterField): string => (field === 'query' ? 'keyword' : field === 'ctr' ? 'CTR' : field.replace('_', ' '))

/** Parses one line of `writeFilters`; a string says what is wrong with it. */
function readFilter(line: string): Filter | string {
  const [, name = '', not, verb = '', rest = ''] = /^(\w+) (not )?(\w+) (.*)$/s.exec(line) ?? []
  const field = (Object.keys(filterFields) as FilterField[]).find((each) => each === name)
  const operators: readonly Operator[] = field === undefined ? [] : filterFields[field]
  const operator = operators.find((each) => each === verb)
  const value = rest.trim().toWellFormed()
  if (field === undefined || operator === undefined) return `“${line.slice(0, 100)}” is not a filter`
  if (value === '') return `The ${spoken(field)} filter needs a value`
  const longest = operator === 'is' || operator === 'starts' ? longestValue : longestSearched
  if (value.length > longest) return `The ${spoken(field)} filter can have up to ${longest.toLocaleString('en-US')} characters`
  if (isBound(operator) && (not !== undefined || !/^\d{1,12}(\.\d{1,6})?$/.test(value)))
    return `The ${spoken(field)} filter needs a number, 0 or higher`
  if (field === 'search_appearance' && not !== undefined) return 'A search appearance can’t be excluded: a result may have several'
  if (field === 'brand' && value !== 'yes' && value !== 'no') return 'The brand filter must be yes or no'
  return { field, not: not !== undefined, operator, value }
}

/** Parses a URL's filter lines; only returns valid ones, and each only once. */
export function readFilters(text: string): { filters: Filter[]; problem: string | null } {
  const read = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(readFilter)
  const filters = [...new Map(read.flatMap((each) => (typeof each === 'string' ? [] : [[writeFilter(each), each]]))).values()]
  const problem = read.find((each) => typeof each === 'string') ?? null
  return {
    filters: filters.slice(0, mostFilters),
    problem: problem ?? (filters.length > mostFilters ? `Up to ${mostFilters} filters can be combined` : null),
  }
}

const tooLong = `Filters can have up to ${longestWhere.toLocaleString('en-US')} characters in total`
const filtersFrom = textUpTo(longestWhere, tooLong).transform((text, context) => {
  const { filters, problem } = readFilters(text)
  if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  return filters
})

const figure = ['clicks', 'impressions', 'ctr', 'position'] as const
/** By a figure, by its change (the difference; places gained for positions), or by name. */
export const exploreSorts = [...figure, 'clicksChange', 'impressionsChange', 'ctrChange', 'positionChange', 'name'] as const
export type ExploreSort = (typeof exploreSorts)[number]

/** `range`, `compare` and `grain` as on the dashboard; unless rows are dates, the grain is a day. */
export const exploreFileQuery = propertyQuery.extend({
  ...historyQuery.omit({ property: true }).shape,
  type: searchType.default('web'),
  by: z.enum(groupings).default('query'),
  /** The person's own filters, in addition to `where`. */
  segment: segmentId,
  where: filtersFrom.default([]),
  sort: z.enum(exploreSorts).default('clicks'),
  order: sortOrder.default('desc'),
})
export type ExploreFileQuery = z.infer<typeof exploreFileQuery>
const wrongListed = 'limit must be a whole number from 1 to 10'
const wrongOffset = 'offset must be a whole number from 0 to 10,000,000'
export const exploreQuery = exploreFileQuery.extend({
  offset: numberFrom(0, 10_000_000, wrongOffset).int({ error: wrongOffset }).default(0),
  limit: listLimit(100),
  /** Adds the clicks over time to the first rows by query, page, country, device or search appearance. */
  trend: clicksTrend,
})
export type ExploreQuery = z.infer<typeof exploreQuery>

/** `name` is the query, page, folder, country, device, search appearance (Google's code), or first day; `previous` is null if nothing was shown or nothing is compared. */
const exploreRow = comparedFigures.extend({
  name: z.string(),
  /** For a query and page together: the page. */
  page: z.string().optional(),
  /** For a date: its last day, and whether the period includes the whole week or month and all of it is stored. */
  end: isoDate.optional(),
  complete: z.boolean().optional(),
  /** The clicks of equally long parts of `trendDays`, oldest first; null for a part that isn't completely stored. */
  trend: z.array(z.number().nullable()).optional(),
})
export type ExploreRow = z.infer<typeof exploreRow>

/** `totals`: of everything on the days that are stored by query. */
const hidden = counts.extend({ totals: counts })

export const explored = z.object({
  property: z.string(),
  /** The requested days, limited to those that can be stored for this search type. */
  period,
  /** Null without a comparison, or if not every day of both periods is stored. */
  compared: orElse(period.nullable(), null),
  firstDay: isoDate,
  completeThrough: isoDate,
  /** Number of rows shown in either period that pass the filters; `rows` are some of them. */
  count: z.number(),
  rows: rowsOf(z.array(exploreRow)),
  /** The sums of those rows; by search appearance the same as `propertyTotals`, as a result may be in several of those rows, or in none. */
  totals: comparedFigures,
  /** For everything on the same days, including anonymized queries. */
  propertyTotals: comparedFigures,
  /**
   * The property's clicks and impressions in no row, whatever the filter: from anonymized queries, and rows that Google truncated. Null if
   * rows aren't by query.
   */
  hidden: orElse(hidden.nullable(), null),
  /** Days of the period on which Google truncated the list. */
  cutOffDays: z.number(),
  /** Days of the period that are not stored. */
  missingDays: z.number(),
  /** The days of the rows' trends: the period, with the compared days if those lead up to it. */
  trendDays: period.optional(),
})
export type Explored = z.infer<typeof explored>

/** The rows whose clicks changed the most between the two periods. */
export const changesQuery = exploreFileQuery
  .pick({ property: true, range: true, compare: true, type: true, segment: true })
  .extend({ by: z.enum(['page', 'query']).default('page'), limit: numberFrom(1, 10, wrongListed).int({ error: wrongListed }).default(5) })
export type ChangesQuery = z.infer<typeof changesQuery>

export const exploredChanges = explored.pick({ period: true, compared: true, trendDays: true }).extend({
  /** Up to `limit` rows with more clicks than before, largest gain first, and with fewer, largest loss first; each with its trend. */
  gained: rowsOf(z.array(exploreRow)),
  lost: rowsOf(z.array(exploreRow)),
})
export type ExploredChanges = z.infer<typeof exploredChanges>

/** A property's stored figures by any of their dimensions. Null while nothing of the search type is stored. */
export const exploreEndpoints = {
  read: signedIn.get('/api/explore', { query: exploreQuery, isLong: 'names', answer: explored.nullable() }),
  /** The rows by date, oldest first, for a chart; days, weeks and months that the filters exclude are without figures. */
  history: signedIn.get('/api/explore/history', {
    query: exploreFileQuery.omit({ by: true, sort: true, order: true }),
    isLong: 'days',
    answer: history.nullable(),
  }),
  changes: signedIn.get('/api/explore/changes', { query: changesQuery, isLong: 'names', answer: exploredChanges.nullable() }),
  file: signedIn.get('/api/explore.csv', { query: exploreFileQuery, answer: 'file' }),
}
