import { ApiFailure, invalidArgument, invalidParameter } from '../api/errors.ts'
import { compileRe2 } from './filter.ts'
import { oneOf } from './names.ts'
import type { Filter, FilterDimension, Operator } from './request.ts'

const OPERATORS: readonly Operator[] = ['equals', 'notEquals', 'contains', 'notContains', 'includingRegex', 'excludingRegex']
const FILTERABLE: readonly FilterDimension[] = ['query', 'page', 'country', 'device', 'searchAppearance']
const WHERE = 'dimension_filter_groups'

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function list(value: unknown, where: string): Record<string, unknown>[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || !value.every(isObject)) throw new ApiFailure(invalidArgument(`Invalid value at '${where}'`))
  return value
}

/** All filters of all groups in one list, since groups are joined by "and"; a group of "or" is refused. */
export function parseFilters(value: unknown): Filter[] {
  return list(value, WHERE).flatMap((group, at) => {
    if (group['groupType'] !== undefined) {
      const type = group['groupType']
      if (typeof type !== 'string' || type.toLowerCase() !== 'and') {
        throw new ApiFailure(
          invalidParameter(
            `Invalid value at '${WHERE}[${at}].group_type': ${JSON.stringify(type)}. Only 'and' is supported.`,
            `${WHERE}.group_type`,
          ),
        )
      }
    }
    return list(group['filters'], `${WHERE}[${at}].filters`).map((filter, i) => parseFilter(filter, `${WHERE}[${at}].filters[${i}]`))
  })
}

function parseFilter(filter: Record<string, unknown>, where: string): Filter {
  const dimension = oneOf(FILTERABLE, filter['dimension'], `${where}.dimension`)
  const operator = oneOf(OPERATORS, filter['operator'] ?? 'equals', `${where}.operator`)
  const expression = filter['expression']
  if (typeof expression !== 'string') throw new ApiFailure(invalidArgument(`Invalid value at '${where}.expression'`))
  const regex = operator === 'includingRegex' || operator === 'excludingRegex'
  if (regex && !compileRe2(expression)) {
    throw new ApiFailure(
      invalidParameter(
        `Invalid regular expression: '${expression}'. Expressions must follow the RE2 syntax.`,
        `${WHERE}.filters.expression`,
      ),
    )
  }
  return { dimension, operator, expression }
}
