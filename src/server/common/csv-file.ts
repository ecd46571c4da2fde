import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CsvCell, csvLine } from '../../core/csv.ts'

/** Rows that become text before others get a turn of the event loop: with long names, five thousand would take seconds. */
const rowsAtOnce = 250

/** Without this at the start, spreadsheets don't recognize UTF-8. */
const byteOrderMark = '\uFEFF'

/** A whole file in chunks: the header, then one chunk per batch of rows. */
export async function* csvFile(
  header: readonly string[],
  batches: AsyncIterable<readonly (readonly CsvCell[])[]>,
): AsyncGenerator<string, void, undefined> {
  yield byteOrderMark + csvLine(header)
  for await (const rows of batches) {
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      yield rows
        .slice(at, at + rowsAtOnce)
        .map(csvLine)
        .join('')
      await nextTurn()
    }
  }
}
