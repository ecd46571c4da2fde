import { type CsvRecord, maxFields } from '../file/csv.ts'
import { ImportRefusal } from '../refusal.ts'

/** As long as a record of a CSV may be. */
const maxLine = 1024 * 1024

/** Text that is JSON, but not one object per line. */
export class JsonDocument extends ImportRefusal {
  constructor(file: string | undefined) {
    super('This is a JSON document, which has no rows to import: use CSV, or newline-delimited JSON as exported by BigQuery', { file })
  }
}

const tooMany = (line: number, file: string | undefined): ImportRefusal =>
  new ImportRefusal(`There are more than ${maxFields} columns`, { file, line })

type Parsed = { line: number; values: ReadonlyMap<string, string> }

/**
 * Newline-delimited JSON as records of a table. A field without a value is left out of its line, so the header holds the
 * names of all lines of the first piece, and `names` that may come later.
 */
export async function* readJsonLines(text: AsyncIterable<string>, names: readonly string[], file?: string): AsyncGenerator<CsvRecord[]> {
  let pending = ''
  let line = 1
  let header: string[] | undefined

  function parsed(lines: readonly string[]): Parsed[] {
    const rows: Parsed[] = []
    for (const each of lines) {
      if (each.trim() !== '') rows.push({ line, values: valuesOf(each, line, file) })
      line += 1
    }
    return rows
  }

  function take(lines: readonly string[]): CsvRecord[] {
    const rows = parsed(lines)
    const records: CsvRecord[] = []
    if (!header && rows.length > 0) {
      header = [...new Set([...rows.flatMap(({ values }) => [...values.keys()]), ...names])]
      // Every record gets a field for each name, so names that differ from line to line would multiply.
      if (header.length > maxFields) throw tooMany(rows[0]?.line ?? 1, file)
      records.push({ line: rows[0]?.line ?? 1, fields: header })
    }
    for (const row of rows) records.push({ line: row.line, fields: (header ?? []).map((name) => row.values.get(name) ?? '') })
    return records
  }

  for await (const piece of text) {
    const lines = (pending + piece).split('\n')
    pending = lines.pop() ?? ''
    if (pending.length > maxLine) throw line === 1 ? new JsonDocument(file) : new ImportRefusal('This line is too long', { file, line })
    if (lines.length > 0) yield take(lines)
  }
  yield take([pending])
}

function valuesOf(text: string, line: number, file: string | undefined): Map<string, string> {
  let row: unknown
  try {
    row = JSON.parse(text)
  } catch {
    throw line === 1 ? new JsonDocument(file) : new ImportRefusal('This line is not a JSON object', { file, line })
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row)) throw new JsonDocument(file)
  const fields = Object.entries(row)
  if (fields.length > maxFields) throw tooMany(line, file)
  const values = new Map<string, string>()
  for (const [name, value] of fields) {
    if (value === null) continue
    if (typeof value === 'object') {
      if (line === 1) throw new JsonDocument(file)
      throw new ImportRefusal(`The field "${name.slice(0, 40)}" is a list or an object`, { file, line })
    }
    values.set(name, String(value))
  }
  return values
}
