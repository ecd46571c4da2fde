export type CsvCell = string | number | null

/** Spreadsheets take UTF-8 for some other encoding unless the file begins with this. */
const byteOrderMark = '\uFEFF'
const lineEnd = '\r\n'

/** What makes a spreadsheet calculate a cell instead of showing it (OWASP, "CSV Injection"). */
const formula = /^[=+\-@\t\r\n]/
const needsQuotes = /[",\r\n]|^\s|\s$/

/** One line of RFC 4180, its end included. Text that would be taken for a formula gets a leading apostrophe; numbers stay numbers. */
export function csvLine(cells: readonly CsvCell[]): string {
  return cells.map(toCell).join(',') + lineEnd
}

/** A whole file in pieces: the header, then a piece for each batch of rows. */
export async function* csvFile(
  header: readonly string[],
  batches: AsyncIterable<readonly (readonly CsvCell[])[]>,
): AsyncGenerator<string, void, undefined> {
  yield byteOrderMark + csvLine(header)
  for await (const rows of batches) if (rows.length > 0) yield rows.map(csvLine).join('')
}

function toCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : ''
  const text = formula.test(cell) ? `'${cell}` : cell
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
