export type CsvCell = string | number | null

const lineEnd = '\r\n'

/**
 * What makes a spreadsheet calculate a cell instead of showing it (OWASP, "CSV Injection"): a sign of a formula, also as wide
 * and small as East Asian ones are taken, with nothing that can be seen before it. A cell begins where a text does and, for
 * spreadsheets that separate by semicolons or tabs and look at quotes only there, behind each of these and each line end.
 */
const formula = /[=+\-@＝＋－＠﹦﹢﹣﹫](?<=(?:^|[;\t\r\n])[\s"\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*.)|^[\t\r\n]/gu
const needsQuotes = /[",;\t\r\n]|^\s|\s$/

/** One line of RFC 4180, its end included. What would be taken for a formula gets an apostrophe before it; numbers stay numbers. */
export function csvLine(cells: readonly CsvCell[]): string {
  return cells.map(toCell).join(',') + lineEnd
}

function toCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : ''
  const text = cell.replaceAll(formula, "'$&")
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
