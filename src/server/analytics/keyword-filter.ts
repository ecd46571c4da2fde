import type { z } from 'zod'
import type { AskedPeriod } from '../../contract/analytics.ts'
import type { keywordsFilter } from '../../contract/keywords.ts'
import { compactTerms } from '../../core/analytics/brand.ts'
import type { CsvCell } from '../../core/csv.ts'
import type { ReportProperty } from '../accounts/service.ts'
import type { CsvFile } from '../common/send-file.ts'
import type { Part } from '../facts/questions/window-columns.ts'
import type { QueryFilter } from '../facts/questions/window-queries.ts'
import { type CompleteProperty, isComplete } from './requested-property.ts'
import type { Brand } from './brand/brands.ts'
import { segmentOf } from './explore/filters.ts'
import type { WithFilters } from './explore/saved.ts'
import { reportFile } from './files.ts'
import { type AnalyticsParts, type Periods, periodsOf } from './parts.ts'
import type { Window } from './windows.ts'

/** Which keywords are requested. */
export type KeywordsFilter = WithFilters<z.infer<typeof keywordsFilter>>

/** The window to read, the filter, and how to interpret its rows. */
export type PreparedFilter = { periods: Periods; window: Window; brand: Brand; filter: QueryFilter }

export async function prepareFilter(parts: AnalyticsParts, property: CompleteProperty, query: KeywordsFilter): Promise<PreparedFilter> {
  const periods = await periodsOf(parts, property, query)
  const [window, brand] = await Promise.all([parts.windows.of(property, periods), parts.brands.of(property)])
  const segment = await segmentOf(parts, property, { by: 'query', where: query.where, periods, ofAll: query.property === 'all' })
  const { search, positionMin, positionMax } = query
  return {
    periods,
    window,
    brand,
    filter: { window: window.id, segment, search, positionMin, positionMax, brand: query.brand, brandTerms: compactTerms(brand.terms) },
  }
}

/** A requested list, of which any part can be read; `compared`: whether its rows include figures of another period. */
export type List<Row> = { compared: boolean; rows(part: Part): Promise<Row[]> }

/** A file with all rows of a list; empty while no complete day is stored. */
export async function listFile<Query extends AskedPeriod, Row>(
  parts: AnalyticsParts,
  property: ReportProperty,
  query: Query,
  how: {
    report: string
    header: readonly string[]
    linesOf: (row: Row) => CsvCell[][]
    list: (property: CompleteProperty, query: Query) => Promise<List<Row>>
  },
): Promise<CsvFile> {
  const complete = isComplete(property) ? property : null
  const list = complete && (await how.list(complete, query))
  const period = complete && (await periodsOf(parts, complete, query)).current
  return reportFile({ property: property.name, report: how.report, period }, how.header, how.linesOf, (part) =>
    list ? list.rows(part) : Promise.resolve([]),
  )
}
