import type { FactsTable } from '../layout.ts'

/**
 * Prepared windows (docs/decisions/0025): the sums of a period and the compared one, a row per query and page, from which lists are served.
 * Rows never change; a window listed in `windows` is complete. Everything is partitioned by the day it was made.
 */
export const windowTables = ['windows', 'window_query', 'window_page'] as const

/** Columns of one period; the compared one's start with `before_`. */
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
  // `fingerprint` identifies which loads of which days were summed.
  table('windows', 'fingerprint String', '(property, fingerprint)'),

  // `page` is the one with the most clicks, `pages` how many were shown; `contested` and `rivals` show how pages compete: impressions
  // outside the strongest page, and the number of pages with at least a tenth of the impressions.
  table(
    'window_query',
    `query String, page String, pages UInt32, ${figures('')}, ${figures('before_')},
    contested UInt64, rivals Array(Tuple(page String, clicks UInt64, impressions UInt64, position_sum Float64, ranked UInt64)), pages_impressions UInt64`,
    'window',
  ),

  table('window_page', `page String, ${figures('')}, ${figures('before_')}`, 'window'),
]
