import type { Dimension } from '../file/columns.ts'
import { fold, remember } from './fold.ts'
import { ImportRefusal } from '../refusal.ts'

/** The two tables of a bulk data export: figures by property, and by URL. */
export type BulkTable = 'site' | 'url'

const columnNames = {
  date: ['data_date', 'date'],
  clicks: ['clicks'],
  impressions: ['impressions'],
  positions: ['sum_top_position', 'sum_position'],
  site: ['site_url'],
  query: ['query'],
  page: ['url'],
  country: ['country'],
  device: ['device'],
  searchType: ['search_type'],
  anonymized: ['is_anonymized_query'],
} as const
type Column = keyof typeof columnNames

/** Columns that JSON lines leave out when empty. */
export const bulkColumns: readonly string[] = ['site_url', 'query', 'url', 'country', 'device', 'search_type']

/** Column indexes of a bulk export's table; -1 for missing ones. */
export type BulkLayout = { table: BulkTable; headers: readonly string[]; columns: Readonly<Record<Column, number>> }

/**
 * The layout of a bulk export's table, recognized by its position sums; undefined for other tables.
 * @throws ImportRefusal if a column that some of its rows need is missing
 */
export function bulkLayout(headers: readonly string[], file?: string): BulkLayout | undefined {
  const folded = headers.map(foldedHeader)
  const [site, url] = ['sum_top_position', 'sum_position'].map((name) => folded.includes(fold(name)))
  if (!site && !url) return undefined
  if (site && url) {
    throw new ImportRefusal('This table has both sum_top_position and sum_position: export the two bulk export tables unchanged', {
      file,
      line: 1,
    })
  }
  const find = (column: Column): number => columnNames[column].map((name) => folded.indexOf(fold(name))).find((at) => at >= 0) ?? -1
  const columns = Object.fromEntries((Object.keys(columnNames) as Column[]).map((column) => [column, find(column)])) as Record<
    Column,
    number
  >
  for (const column of ['date', 'clicks', 'impressions'] as const) {
    if (columns[column] < 0) throw new ImportRefusal(`This bulk export table has no column ${columnNames[column][0]}`, { file, line: 1 })
  }
  return { table: site ? 'site' : 'url', headers, columns }
}

const foldedHeader = remember(fold)

/** The third table of a bulk export, which logs when the others were written. */
export const isExportLog = (headers: readonly string[]): boolean =>
  ['agenda', 'namespace', 'epoch_version'].every((name) => headers.includes(name))

/** The dimensions of a table's rows, in the order of their values. */
export const bulkDimensions = ({ columns }: BulkLayout): Dimension[] =>
  (['query', 'page', 'country', 'device'] as const).filter((name) => columns[name] >= 0)
