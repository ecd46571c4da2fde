import { DEVICES } from '../figures/cells.ts'
import type { PropertyData } from '../figures/property.ts'
import type { Filter } from './request.ts'

/** A request's filters, ready to test rows. */
export interface RowFilter {
  /** Whether anonymized searches are excluded, as with any filter on the query. */
  readonly namedOnly: boolean
  /** Whether country or device matter. */
  readonly cells: boolean
  row(page: number, query: number): boolean
  cell(country: number, device: number): boolean
}

/**
 * A regular expression as RE2 accepts it: no look-around, no back-references, leading flags like `(?i)`.
 * @returns undefined if RE2 would refuse it.
 */
export function compileRe2(expression: string): RegExp | undefined {
  const flags = /^\(\?([ims]+)\)/.exec(expression)
  const source = flags ? expression.slice(flags[0].length) : expression
  if (/\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</.test(source)) return undefined
  try {
    return new RegExp(source.replaceAll('(?P<', '(?<'), `u${flags?.[1] ?? ''}`)
  } catch {
    return undefined
  }
}

/** One filter as a predicate on a text. Page and query compare exactly; country, device and "contains" ignore case. */
function predicate(filter: Filter): (text: string) => boolean {
  const exact = filter.dimension === 'page' || filter.dimension === 'query'
  const fold = (text: string): string => (exact ? text : text.toLowerCase())
  const wanted = fold(filter.expression)
  const part = filter.expression.toLowerCase()
  switch (filter.operator) {
    case 'equals':
      return (text) => fold(text) === wanted
    case 'notEquals':
      return (text) => fold(text) !== wanted
    case 'contains':
      return (text) => text.toLowerCase().includes(part)
    case 'notContains':
      return (text) => !text.toLowerCase().includes(part)
    case 'includingRegex':
    case 'excludingRegex': {
      const pattern = compileRe2(filter.expression) ?? /(?!)/
      const wants = filter.operator === 'includingRegex'
      return (text) => pattern.test(text) === wants
    }
  }
}

/** Caches the result per id, since every day asks about the same names again. */
function perId(filters: readonly Filter[], textOf: (id: number) => string | undefined): (id: number) => boolean {
  if (filters.length === 0) return () => true
  const tests = filters.map(predicate)
  const answers: (boolean | undefined)[] = []
  return (id) => {
    const known = answers[id]
    if (known !== undefined) return known
    const text = textOf(id) ?? ''
    return (answers[id] = tests.every((test) => test(text)))
  }
}

/** A page passes if one of its appearances does; a negative filter has to be passed by all of them. */
function byAppearance(filters: readonly Filter[], property: PropertyData): (page: number) => boolean {
  const tests = filters.map((filter) => {
    const test = predicate(filter)
    const isNegative = filter.operator === 'excludingRegex' || filter.operator.startsWith('not')
    return (names: readonly string[]) => (isNegative ? names.every(test) : names.some(test))
  })
  return (page) => tests.every((test) => test(property.appearances[page] ?? []))
}

/** All filters of a request joined by "and". */
export function compileFilters(filters: readonly Filter[], property: PropertyData): RowFilter {
  const of = (dimension: Filter['dimension']): Filter[] => filters.filter((filter) => filter.dimension === dimension)
  const query = perId(of('query'), (id) => property.queries.texts[id])
  const page = perId(of('page'), (id) => property.pages.texts[id])
  const appearance = byAppearance(of('searchAppearance'), property)
  const country = perId(of('country'), (id) => property.cells.countries[id])
  const device = perId(of('device'), (id) => DEVICES[id])
  const namedOnly = of('query').length > 0
  return {
    namedOnly,
    cells: of('country').length + of('device').length > 0,
    row: (pageId, queryId) => page(pageId) && appearance(pageId) && (!namedOnly || query(queryId)),
    cell: (countryId, deviceId) => country(countryId) && device(deviceId),
  }
}
