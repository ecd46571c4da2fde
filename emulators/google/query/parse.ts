import { ApiFailure, invalidArgument, invalidParameter } from '../api/errors.ts'
import type { SearchType } from '../figures/profiles.ts'
import { parseDay } from '../dates.ts'
import { oneOf } from './names.ts'
import { parseFilters } from './parse-filters.ts'
import type { Aggregation, DataState, Dimension, Filter, QueryRequest } from './request.ts'

const DIMENSIONS: readonly Dimension[] = ['date', 'hour', 'query', 'page', 'country', 'device', 'searchAppearance']
const TYPES: readonly SearchType[] = ['web', 'image', 'video', 'news', 'discover', 'googleNews']
const STATES: readonly DataState[] = ['final', 'all', 'hourly_all']
const AGGREGATIONS = ['auto', 'byPage', 'byProperty', 'byNewsShowcasePanel'] as const
const FIELDS = new Set([
  'startDate',
  'endDate',
  'dimensions',
  'type',
  'searchType',
  'dataState',
  'aggregationType',
  'rowLimit',
  'startRow',
  'dimensionFilterGroups',
])

const MAX_ROWS = 25_000
const DEFAULT_ROWS = 1_000

function fail(message: string, location: string): never {
  throw new ApiFailure(invalidParameter(message, location))
}

function day(value: unknown, location: string): number {
  if (value === undefined) fail(`Required parameter: ${location}`, location)
  const parsed = typeof value === 'string' ? parseDay(value) : undefined
  if (parsed === undefined) fail(`Invalid value at '${location}': ${JSON.stringify(value)} is not a date of the form YYYY-MM-DD.`, location)
  return parsed
}

function wholeNumber(value: unknown, location: string, fallback: number): number {
  if (value === undefined) return fallback
  // Google's JSON parser also accepts numbers written as strings.
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number)) {
    throw new ApiFailure(invalidArgument(`Invalid value at '${location}' (TYPE_INT32), ${JSON.stringify(value)}`))
  }
  return number
}

/** Reads the body of a query, or throws Google's 400. */
export function parseQuery(text: string): QueryRequest {
  const body = parseObject(text)
  for (const field of Object.keys(body)) {
    if (!FIELDS.has(field)) {
      throw new ApiFailure(invalidArgument(`Invalid JSON payload received. Unknown name "${field}": Cannot find field.`))
    }
  }
  const startDay = day(body['startDate'], 'start_date')
  const endDay = day(body['endDate'], 'end_date')
  if (startDay > endDay) fail('Start date must be before or equal to end date.', 'start_date')
  const rowLimit = wholeNumber(body['rowLimit'], 'row_limit', DEFAULT_ROWS)
  if (rowLimit < 1 || rowLimit > MAX_ROWS) fail(`Invalid value at 'row_limit': must be between 1 and ${MAX_ROWS}.`, 'row_limit')
  const startRow = wholeNumber(body['startRow'], 'start_row', 0)
  if (startRow < 0) fail("Invalid value at 'start_row': must not be negative.", 'start_row')

  const dimensions = parseDimensions(body['dimensions'])
  const type = oneOf(TYPES, body['type'] ?? body['searchType'] ?? 'web', 'type')
  const dataState = oneOf(STATES, body['dataState'] ?? 'final', 'data_state')
  const filters = parseFilters(body['dimensionFilterGroups'])
  checkDimensions(dimensions, type, dataState, filters)
  const aggregation = aggregationOf(body['aggregationType'], dimensions, filters, type)
  return { startDay, endDay, dimensions, type, dataState, aggregation, filters, rowLimit, startRow }
}

function parseObject(text: string): Record<string, unknown> {
  let body: unknown
  try {
    body = text === '' ? {} : JSON.parse(text)
  } catch {
    throw new ApiFailure(invalidArgument('Invalid JSON payload received. Unable to parse the request body.'))
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiFailure(invalidArgument('Invalid JSON payload received. Root element must be a message.'))
  }
  return { ...body }
}

function parseDimensions(value: unknown): Dimension[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new ApiFailure(invalidArgument("Invalid value at 'dimensions'"))
  const dimensions = value.map((each, index) => oneOf(DIMENSIONS, each, `dimensions[${index}]`))
  if (new Set(dimensions).size < dimensions.length) fail('Duplicate dimensions are not allowed.', 'dimensions')
  return dimensions
}

function checkDimensions(dimensions: readonly Dimension[], type: SearchType, dataState: DataState, filters: readonly Filter[]): void {
  const has = (dimension: Dimension): boolean => dimensions.includes(dimension)
  if (has('searchAppearance') && dimensions.length > 1) {
    fail('Cannot group by search appearance dimension together with another dimension.', 'dimensions')
  }
  if (has('date') && has('hour')) fail('Request cannot be grouped by both date and hour', 'dimensions')
  if (has('hour') && dataState !== 'hourly_all') fail('Grouping by HOUR requires setting dataState=HOURLY_ALL', 'dimensions')
  if (!has('hour') && dataState === 'hourly_all') fail('Setting dataState=HOURLY_ALL requires grouping by HOUR', 'data_state')
  // Google's answers to these aren't documented beyond that a dimension a type lacks is an error.
  if ((type === 'discover' && has('device')) || (type === 'googleNews' && has('searchAppearance'))) {
    fail(`Cannot group by ${type === 'discover' ? 'device' : 'search appearance'} in the context of type ${type}.`, 'dimensions')
  }
  if (type === 'discover' || type === 'googleNews') {
    if (has('query')) fail(`Cannot group by query in the context of type ${type}.`, 'dimensions')
    if (filters.some((filter) => filter.dimension === 'query'))
      fail(`Cannot filter by query in the context of type ${type}.`, 'dimension_filter_groups')
  }
}

function aggregationOf(value: unknown, dimensions: readonly Dimension[], filters: readonly Filter[], type: SearchType): Aggregation {
  const asked = oneOf(AGGREGATIONS, value ?? 'auto', 'aggregation_type')
  const pages = dimensions.includes('page') || filters.some((filter) => filter.dimension === 'page')
  const feed = type === 'discover' || type === 'googleNews'
  switch (asked) {
    case 'auto':
      return pages || feed ? 'byPage' : 'byProperty'
    case 'byPage':
      return 'byPage'
    case 'byProperty':
      if (pages || feed) fail("'BY_PROPERTY' is not a valid aggregation type in the context of the request.", 'aggregation_type')
      return 'byProperty'
    case 'byNewsShowcasePanel':
      return fail("'BY_NEWS_SHOWCASE_PANEL' is not a valid aggregation type in the context of the request.", 'aggregation_type')
  }
}
