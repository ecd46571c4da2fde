import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ComparedFigures, RowFigures } from '../../contract/analytics.ts'
import type { Period } from '../../contract/metrics.ts'
import type { Part } from '../facts/questions/window-columns.ts'
import type { CsvCell } from '../../core/csv.ts'
import { csvFile } from '../common/csv-file.ts'
import { safeFileName } from '../platform/file-names.ts'
import { keepTenant } from '../platform/tenant.ts'

/** A file in pieces, made as fast as it is read. */
export type ReportFile = { fileName: string; pieces: AsyncIterable<string> }

/** Rows read and made into text at once; others get their turn in between. */
const rowsAtOnce = 5_000

/** A file with all rows of a list. `ask` answers a part of it, in an order that leaves nothing open. */
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

/** Whose figures they are, which report, and from and until when. */
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

/** Cells under `figureHeader`; empty where there is nothing to divide by, and where something was not shown before. */
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

/** As far as sums of fractions say anything. */
export const rounded = (figure: number, digits = 6): number => Number(figure.toFixed(digits))

export const yesNo = (is: boolean): string => (is ? 'yes' : 'no')
