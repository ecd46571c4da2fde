import { z } from 'zod'
import { comparedFigures, listLimit, numberFrom, sortOrder } from '../analytics.ts'
import { byId, isoDate, orElse, propertyQuery, rowsOf, searchType } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { historyQuery } from '../history.ts'
import { period } from '../metrics.ts'

/** What rows are told apart by. A folder is the first level of a page's path; a date is a day, week or month, as `grain` says. */
export const groupings = ['query', 'page', 'folder', 'query_page', 'country', 'device', 'date'] as const
export type Grouping = (typeof groupings)[number]

/** `matches`: an RE2 regular expression, as in Search Console. */
export const textOperators = ['contains', 'is', 'starts', 'matches'] as const
/** Bounds of a row's figure, both included; CTR in percent. */
export const boundOperators = ['from', 'to'] as const
type Operator = (typeof textOperators)[number] | (typeof boundOperators)[number]

/** What can be filtered by, and how. A brand filter says `yes` or `no`. */
export const filterFields = {
  query: textOperators,
  page: textOperators,
  brand: ['is'],
  country: ['is'],
  device: ['is'],
  clicks: boundOperators,
  impressions: boundOperators,
  ctr: boundOperators,
  position: boundOperators,
} as const satisfies Record<string, readonly Operator[]>
export type FilterField = keyof typeof filterFields
export const isBound = (operator: Operator): operator is 'from' | 'to' => operator === 'from' || operator === 'to'

/** One filter; `not` turns it around, of which figures have no need. */
export type Filter = { field: FilterField; not: boolean; operator: Operator; value: string }

export const mostFilters = 20
/** Characters of a filter's value at most. */
export const longestValue = 1_000
export const longestWhere = 6_000

/** Filters as an address writes them, one a line: `query not contains lamp`, `clicks from 10`. */
export const writeFilters = (filters: readonly Filter[]): string =>
  filters.map(({ field, not, operator, value }) => `${field} ${not ? 'not ' : ''}${operator} ${value}`).join('\n')

/** One line of `writeFilters`; a text says what is wrong with it. */
function readFilter(line: string): Filter | string {
  const [, name = '', not, verb = '', rest = ''] = /^(\w+) (not )?(\w+) (.*)$/s.exec(line) ?? []
  const field = (Object.keys(filterFields) as FilterField[]).find((each) => each === name)
  const operators: readonly Operator[] = field === undefined ? [] : filterFields[field]
  const operator = operators.find((each) => each === verb)
  const value = rest.trim().toWellFormed()
  if (field === undefined || operator === undefined) return `“${line.slice(0, 100)}” is not a filter`
  if (value === '') return `The ${field} filter needs a value`
  if (value.length > longestValue) return `The ${field} filter can have up to ${longestValue.toLocaleString('en-US')} characters`
  if (isBound(operator) && (not !== undefined || !/^\d{1,12}(\.\d{1,6})?$/.test(value)))
    return `The ${field} filter needs a number of 0 or more`
  if (field === 'brand' && value !== 'yes' && value !== 'no') return 'The brand filter must be yes or no'
  return { field, not: not !== undefined, operator, value }
}

/** What the lines of an address say; only those that make sense. */
export function readFilters(text: string): { filters: Filter[]; problem: string | null } {
  const read = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(readFilter)
  const filters = read.filter((each) => typeof each !== 'string')
  const problem = read.find((each) => typeof each === 'string') ?? null
  return {
    filters: filters.slice(0, mostFilters),
    problem: problem ?? (filters.length > mostFilters ? `Up to ${mostFilters} filters can be combined` : null),
  }
}

const tooLong = `Filters can have up to ${longestWhere.toLocaleString('en-US')} characters together`
const filtersFrom = z
  .string()
  .max(longestWhere, tooLong)
  .transform((text, context) => {
    const { filters, problem } = readFilters(text)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
    return filters
  })

const figure = ['clicks', 'impressions', 'ctr', 'position'] as const
/** By a figure, by how much it changed (the difference; of positions, places gained), or by name. */
export const exploreSorts = [...figure, 'clicksChange', 'impressionsChange', 'ctrChange', 'positionChange', 'name'] as const
export type ExploreSort = (typeof exploreSorts)[number]

/** `range`, `compare` and `grain` as on the dashboard; without dates as rows, the grain is a day. */
export const exploreFileQuery = propertyQuery.extend({
  ...historyQuery.omit({ property: true }).shape,
  type: searchType.default('web'),
  by: z.enum(groupings).default('query'),
  /** Filters of the person's own, beside those of `where`. */
  segment: byId.shape.id.optional(),
  where: filtersFrom.default([]),
  sort: z.enum(exploreSorts).default('clicks'),
  order: sortOrder.default('desc'),
})
export type ExploreFileQuery = z.infer<typeof exploreFileQuery>
const wrongOffset = 'offset must be a whole number from 0 to 10,000,000'
export const exploreQuery = exploreFileQuery.extend({
  offset: numberFrom(0, 10_000_000, wrongOffset).int({ error: wrongOffset }).default(0),
  limit: listLimit(100),
})
export type ExploreQuery = z.infer<typeof exploreQuery>

/** `name` is the query, page, folder, country, device, or first day; `previous` is null where nothing was shown or nothing is compared. */
const exploreRow = comparedFigures.extend({
  name: z.string(),
  /** Of a query and a page together: the page. */
  page: z.string().optional(),
  /** Of a date: its last day, and whether the period holds all of the week or month, and all of it is stored. */
  end: isoDate.optional(),
  complete: z.boolean().optional(),
})
export type ExploreRow = z.infer<typeof exploreRow>

const hidden = z.object({ clicks: z.number(), impressions: z.number() })

export const explored = z.object({
  property: z.string(),
  /** Of the days asked for, those that may be stored of this search type. */
  period,
  /** Null where nothing is compared, or not every day of both periods is stored. */
  compared: orElse(period.nullable(), null),
  firstDay: isoDate,
  completeThrough: isoDate,
  /** Rows that were shown in either period and that the filters let through; `rows` are some of them. */
  count: z.number(),
  rows: rowsOf(z.array(exploreRow)),
  /** Of those rows together. */
  totals: comparedFigures,
  /** Of everything on the same days, anonymized queries included. */
  propertyTotals: comparedFigures,
  /** Clicks and impressions of the property that are in no row, whatever is filtered: of anonymized queries, and what Google cut off. Null where rows are not by query. */
  hidden: orElse(hidden.nullable(), null),
  /** Days of the period on which Google cut the list off. */
  cutOffDays: z.number(),
  /** Days of the period that are not stored. */
  missingDays: z.number(),
})
export type Explored = z.infer<typeof explored>

/** The stored figures of a property by any of their dimensions. Null while nothing of the search type is stored. */
export const exploreEndpoints = {
  read: endpoint({ method: 'GET', path: '/api/explore', access: 'session', query: exploreQuery, answer: explored.nullable() }),
  file: endpoint({ method: 'GET', path: '/api/explore.csv', access: 'session', query: exploreFileQuery, answer: 'file' }),
}
