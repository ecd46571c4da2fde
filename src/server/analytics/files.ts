import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ComparedFigures, RowFigures } from '../../contract/analytics.ts'
import type { Period } from '../../contract/metrics.ts'
import type { Part } from '../facts/questions/window-columns.ts'
import type { CsvCell } from '../../core/csv.ts'
import { csvFile } from '../common/csv-file.ts'
import { safeFileName } from '../platform/file-names.ts'
import { keepTenant } from '../platform/tenant.ts'

/** A file in pieces, produced as fast as it is read. */
export type ReportFile = { fileName: string; pieces: AsyncIterable<string> }

/** How many rows are read and formatted at once; others get a turn in between. */
const rowsAtOnce = 5_000

/** A file with all rows of a list. `ask` returns a part of it, in a total order. */
export function reportFile<Row>(
  about: { property: string; report: string; period: Period | null },
  header: readonly string[],
  linesOf: (row: Row) => readonly (readonly CsvCell[])[],
  ask: (part: Part) => Promise<readonly Row[]>,
): ReportFile {
  async function* lines() {
    for (let offset = 0; ; offset += rowsAtOnce) {
      const rows = await ask({ limit: rowsAtOnce, offset })
      yield rows.flatMap(linesOf)
      if (rows.length < rowsAtOnce) return
      await nextTurn()
    }
  }
  return { fileName: fileNameOf(about), pieces: keepTenant(csvFile(header, lines())) }
}

/** The file's name: property, report, and period. */
export function fileNameOf({ property, report, period }: { property: string; report: string; period: Period | null }): string {
  const days = period ? `-${period.start}-${period.end}` : ''
  return `ranklark-${safeFileName(property)}-${report}${days}.csv`
}

/** CTR is a fraction. */
export const figureHeader = (compared: boolean): string[] => [
  'clicks',
  'impressions',
  'ctr',
  'position',
  ...(compared ? ['clicks before', 'impressions before', 'ctr before', 'position before'] : []),
]

/** Cells under `figureHeader`; empty without impressions, and for earlier values that don't exist. */
export const figureCells = (
  figures: Omit<ComparedFigures, 'previous'> & { previous?: RowFigures | null },
  compared: boolean,
): CsvCell[] => [...cellsOf(figures), ...(compared ? (figures.previous ? cellsOf(figures.previous) : [null, null, null, null]) : [])]

const cellsOf = ({ clicks, impressions, ctr, position }: RowFigures): CsvCell[] => [
  clicks,
  impressions,
  impressions === 0 ? null : rounded(ctr),
  position === 0 ? null : rounded(position),
]

/** As many digits as sums of fractions are good for. */
export const rounded = (figure: number, digits = 6): number => Number(figure.toFixed(digits))

export const yesNo = (is: boolean): string => (is ? 'yes' : 'no')
