export type CsvCell = string | number | null

const lineEnd = '\r\n'

/**
 * What makes a spreadsheet calculate a cell instead of showing it (OWASP, "CSV Injection"): a formula's first character, also in East Asian
 * full-width and small forms, with nothing visible before it. A cell begins where a text does and, for spreadsheets that split at
 * semicolons or tabs and recognize quotes only there, after each of these and each line end.
 */
const formula = /[=+\-@＝＋－＠﹦﹢﹣﹫](?<=(?:^|[;\t\r\n])[\s"\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*.)|^[\t\r\n]/gu
const needsQuotes = /[",;\t\r\n]|^\s|\s$/

/** One line of RFC 4180, including its end. Would-be formulas get a leading apostrophe; numbers stay numbers. */
export function csvLine(cells: readonly CsvCell[]): string {
  return cells.map(toCell).join(',') + lineEnd
}

function toCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : ''
  const text = cell.replaceAll(formula, "'$&")
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
