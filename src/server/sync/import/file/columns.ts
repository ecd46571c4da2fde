import { type BulkLayout, bulkLayout, isExportLog } from '../bulk/layout.ts'
import type { CsvRecord } from './csv.ts'
import { type DateReading, readDate } from './dates.ts'
import { BadCell, createNumberReader } from './numbers.ts'
import { ImportRefusal, shown } from '../refusal.ts'
import { type ColumnRole, metricIn, roleOf, spanOf } from './vocabulary.ts'

export type Dimension = 'query' | 'page' | 'country' | 'device'
const dimensionNames: readonly Dimension[] = ['query', 'page', 'country', 'device']

/** Column indexes of a dated table. */
export type Layout = {
  headers: readonly string[]
  date: number
  clicks: number
  impressions: number
  ctr: number | undefined
  position: number | undefined
  searchType: number | undefined
  site: number | undefined
  dimensions: readonly { name: Dimension; column: number }[]
  /** Columns that have no meaning here. */
  ignored: readonly string[]
  /** Set if the header's language is unknown and the fixed order was assumed: the CTR must then confirm it in every row. */
  byOrder: boolean
}

export type Table =
  | { kind: 'empty' }
  /** A table without daily data; `filters` lists the export's Search Console settings. */
  | { kind: 'undated' | 'filters' }
  | { kind: 'dated'; layout: Layout }
  /** A table of a bulk data export, or its log, which has no figures. */
  | { kind: 'bulk'; layout: BulkLayout }
  | { kind: 'log' }
  /** Text without rows: a JSON document. */
  | { kind: 'json' }

const spanReasons = {
  hour: 'The rows are by hour, not by day: choose a longer period in Search Console, or "Daily" in the chart, and export again',
  week: 'The rows are by week, not by day: set the chart in Search Console to "Daily" and export again',
  month: 'The rows are by month, not by day: set the chart in Search Console to "Daily" and export again',
  span: 'Each row covers several days: set the chart in Search Console to "Daily" and export again',
} as const
export type Span = keyof typeof spanReasons

/** Refuses rows that don't cover one day each. */
export const notByDay = (span: Span, file?: string, line?: number): ImportRefusal => new ImportRefusal(spanReasons[span], { file, line })

/**
 * Recognizes a table by its header and its first data row: it is by date if a column says so or its first column holds dates, whatever the
 * file is called.
 * @throws ImportRefusal for a dated table that cannot be stored
 */
export function recognizeTable(header: CsvRecord | undefined, first: CsvRecord | undefined, file?: string): Table {
  if (!header) return { kind: 'empty' }
  const headers = header.fields.map((field) => field.trim())
  if (isExportLog(headers)) return { kind: 'log' }
  const bulk = bulkLayout(headers, file)
  if (bulk) return { kind: 'bulk', layout: bulk }
  const named = headers.map(roleOf)
  const reading = first ? readDate(first.fields[0] ?? '').kind : 'none'
  const byWord = named.indexOf('date')
  const date = byWord >= 0 ? byWord : named[0] === undefined && looksDated(reading) ? 0 : -1
  const hasMetrics = headers.some((text) => metricIn(text) !== undefined)

  const span = spanOf(headers[0] ?? '')
  if (byWord < 0 && span && hasMetrics && !(span === 'hour' && reading === 'day')) throw notByDay(span, file, header.line)
  if (date < 0) return { kind: headers.length === 2 && !hasMetrics ? 'filters' : 'undated' }
  if (!hasMetrics && (first === undefined || headers.length < 5)) return { kind: 'undated' }
  return { kind: 'dated', layout: layOut(headers, date, first, file, header.line) }
}

const looksDated = (kind: DateReading['kind']): boolean => kind !== 'none' && kind !== 'impossible'

function layOut(headers: string[], date: number, first: CsvRecord | undefined, file: string | undefined, line: number): Layout {
  const roles = new Map<ColumnRole, number>([['date', date]])
  headers.forEach((text, column) => {
    if (column === date) return
    const role = roleOf(text)
    if (role === undefined || role === 'date') return
    if (roles.has(role)) throw twice(role, headers, file, line)
    roles.set(role, column)
  })
  for (const metric of ['clicks', 'impressions', 'ctr', 'position'] as const) {
    const alike = headers.flatMap((text, column) => (column !== date && metricIn(text) === metric ? [column] : []))
    if (alike.length > 1 && (metric === 'clicks' || metric === 'impressions' || !roles.has(metric)))
      throw twice(metric, headers, file, line)
    if (!roles.has(metric) && alike[0] !== undefined && roleOf(headers[alike[0]] ?? '') === undefined) roles.set(metric, alike[0])
  }
  const byOrder = (!roles.has('clicks') || !roles.has('impressions')) && fitsFixedOrder(headers, roles, first)
  if (byOrder) (['date', 'clicks', 'impressions', 'ctr', 'position'] as const).forEach((role, column) => roles.set(role, column))

  if (isPageIndexing(headers, roles)) throw pageIndexing(file, line)
  for (const metric of ['clicks', 'impressions'] as const) {
    if (!roles.has(metric)) throw new ImportRefusal(missingColumn(metric, headers), { file, line })
  }
  if (!roles.has('ctr') && !roles.has('position')) {
    throw new ImportRefusal("There's no CTR or position column: turn on all four metrics in Search Console and export again", {
      file,
      line,
    })
  }
  const used = new Set(roles.values())
  return {
    headers,
    date,
    clicks: roles.get('clicks') as number,
    impressions: roles.get('impressions') as number,
    ctr: roles.get('ctr'),
    position: roles.get('position'),
    searchType: roles.get('searchType'),
    site: roles.get('site'),
    dimensions: dimensionNames.flatMap((name) => {
      const column = roles.get(name)
      return column === undefined ? [] : [{ name, column }]
    }),
    ignored: headers.filter((text, column) => !used.has(column) && text !== ''),
    byOrder,
  }
}

/** The chart of the page indexing report: dates, pages not indexed, pages indexed, and impressions. */
const isPageIndexing = (headers: readonly string[], roles: ReadonlyMap<ColumnRole, number>): boolean =>
  headers.length <= 4 && roles.has('impressions') && !['clicks', 'ctr', 'position'].some((role) => roles.has(role as ColumnRole))

export const pageIndexing = (file?: string, line?: number): ImportRefusal =>
  new ImportRefusal('This is the page indexing report, which has no clicks: export Performance → Search results instead', { file, line })

/**
 * Date, Clicks, Impressions, CTR, Position: Search Console's order in every language, and the only order assumed without a known header.
 */
function fitsFixedOrder(headers: string[], roles: ReadonlyMap<ColumnRole, number>, first: CsvRecord | undefined): boolean {
  if (headers.length !== 5 || roles.get('date') !== 0 || !first) return false
  const order: ColumnRole[] = ['date', 'clicks', 'impressions', 'ctr', 'position']
  if ([...roles].some(([role, column]) => order[column] !== role)) return false
  const numbers = createNumberReader()
  try {
    const ctr = numbers.decimal(first.fields[3] ?? '', 1)
    return ctr?.percent === true && numbers.count(first.fields[1] ?? '', 1) <= numbers.count(first.fields[2] ?? '', 1)
  } catch (error) {
    if (error instanceof BadCell) return false
    throw error
  }
}

const list = (names: readonly string[]): string =>
  names
    .slice(0, 12)
    .map((name) => `"${shown(name, 40)}"`)
    .join(', ')

function twice(role: ColumnRole, headers: readonly string[], file: string | undefined, line: number): ImportRefusal {
  const metric = role === 'clicks' || role === 'impressions' || role === 'ctr' || role === 'position'
  const hint = metric ? ": an export that compares two periods can't be stored by day; turn off the comparison and export again" : ''
  const alike = headers.filter((text) => (metric ? metricIn(text) === role || roleOf(text) === role : roleOf(text) === role))
  return new ImportRefusal(`More than one column has the ${role} (${list(alike)})${hint}`, { file, line })
}

function missingColumn(metric: 'clicks' | 'impressions', headers: readonly string[]): string {
  return `No ${metric} column found in ${list(headers)}: turn on all four metrics in Search Console's Performance report and export again, or name the column "${metric}"`
}
