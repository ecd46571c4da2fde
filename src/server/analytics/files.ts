import { propertyName } from '../../core/accounts/property-name.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ComparedFigures, RowFigures } from '../../contract/figures.ts'
import type { Period } from '../../contract/metrics.ts'
import type { Part } from '../facts/questions/window-columns.ts'
import type { CsvCell } from '../../core/csv.ts'
import { csvFile } from '../common/csv-file.ts'
import type { CsvFile } from '../common/send-file.ts'
import { TooMuchAtOnce } from '../platform/clickhouse/clickhouse-errors.ts'
import { safeFileName } from '../platform/file-names.ts'
import { keepTenant } from '../platform/tenant.ts'

/** How many rows are read and formatted at once; others get a turn in between. Rows with very long names are read in smaller parts. */
const rowsAtOnce = 5_000
const fewestAtOnce = 100

/** A file with all rows of a list. `ask` returns a part of it, in a total order. */
export function reportFile<Row>(
  about: { property: string; report: string; period: Period | null },
  header: readonly string[],
  linesOf: (row: Row) => readonly (readonly CsvCell[])[],
  ask: (part: Part) => Promise<readonly Row[]>,
): CsvFile {
  async function* lines() {
    let limit = rowsAtOnce
    for (let offset = 0; ; offset += limit) {
      const rows = await fitting(offset)
      yield rows.flatMap(linesOf)
      if (rows.length < limit) return
      await nextTurn()
    }

    async function fitting(offset: number): Promise<readonly Row[]> {
      for (;;) {
        try {
          return await ask({ limit, offset })
        } catch (error) {
          if (!(error instanceof TooMuchAtOnce) || limit <= fewestAtOnce) throw error
          limit = Math.ceil(limit / 4)
        }
      }
    }
  }
  return { fileName: fileNameOf(about), pieces: keepTenant(csvFile(header, lines())) }
}

/** The file's name: property, report, and period. */
export function fileNameOf({ property, report, period }: { property: string; report: string; period: Period | null }): string {
  const days = period ? `-${period.start}-${period.end}` : ''
  return `ranklark-${safeFileName(propertyName(property))}-${report}${days}.csv`
}

/** CTR is a fraction. */
export const figureHeader = (compared: boolean): string[] => [
  'clicks',
  'impressions',
  'ctr',
  'position',
  ...(compared ? ['previous clicks', 'previous impressions', 'previous ctr', 'previous position'] : []),
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
