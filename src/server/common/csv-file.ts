import { type CsvCell, csvLine } from '../../core/csv.ts'

/** Spreadsheets take UTF-8 for some other encoding unless the file begins with this. */
const byteOrderMark = '\uFEFF'

/** A whole file in pieces: the header, then a piece for each batch of rows. */
export async function* csvFile(
  header: readonly string[],
  batches: AsyncIterable<readonly (readonly CsvCell[])[]>,
): AsyncGenerator<string, void, undefined> {
  yield byteOrderMark + csvLine(header)
  for await (const rows of batches) if (rows.length > 0) yield rows.map(csvLine).join('')
}
