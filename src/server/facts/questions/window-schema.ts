import type { FactsTable } from '../layout.ts'

/**
 * Prepared windows (docs/decisions/0025): the sums of a period and of the one it is compared with, a row for each query
 * and page, from which lists are answered. Rows are never changed; a window that is listed in `windows` is whole.
 * Everything is put away by the day it was made.
 */
export const windowTables = ['windows', 'window_query', 'window_page'] as const

/** Columns of one period; those of the compared one have `before_` in front. */
const figures = (prefix: string): string =>
  `${prefix}clicks UInt64, ${prefix}impressions UInt64, ${prefix}position_sum Float64, ${prefix}ranked UInt64`

const key = 'made Date, property UInt64, window UInt64'
const table = (name: (typeof windowTables)[number], columns: string, order: string): FactsTable => ({
  name,
  columns: `(${key}, ${columns})`,
  engine: 'MergeTree',
  clauses: ` PARTITION BY made ORDER BY ${order}`,
})

export const windowTableDefinitions: readonly FactsTable[] = [
  // `fingerprint` says which loads of which days were summed.
  table('windows', 'fingerprint String', '(property, fingerprint)'),

  // `page` is the one that brought most clicks, `pages` how many were shown; `contested` and `rivals` say what pages take
  // from each other: impressions of all but the strongest, and those with at least a tenth of the impressions.
  table(
    'window_query',
    `query String, page String, pages UInt32, ${figures('')}, ${figures('before_')},
    contested UInt64, rivals Array(Tuple(page String, clicks UInt64, impressions UInt64, position_sum Float64, ranked UInt64)), pages_impressions UInt64`,
    'window',
  ),

  table('window_page', `page String, ${figures('')}, ${figures('before_')}`, 'window'),
]
