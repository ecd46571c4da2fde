import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CsvRecord, maxFields, maxRecord } from '../file/csv.ts'
import { ImportRefusal } from '../refusal.ts'

/** JSON text that isn't one object per line. */
export class JsonDocument extends ImportRefusal {
  constructor(file: string | undefined) {
    super('This is a JSON document, which has no rows to import: use CSV, or newline-delimited JSON as exported by BigQuery', { file })
  }
}

const tooMany = (line: number, file: string | undefined): ImportRefusal =>
  new ImportRefusal(`There are more than ${maxFields} columns`, { file, line })

/** Lines become records this many at a time, between which other requests get their turn: a piece of a file may have 100,000 lines. */
const linesAtOnce = 1000

/**
 * Reads newline-delimited JSON as records of a table. Lines leave out fields without a value, so the header has the names from all lines of
 * the first piece, plus `names`, which may come later. `keep`: the relevant columns, if not all. A line without values is a record without
 * fields.
 */
export async function* readJsonLines(
  text: AsyncIterable<string>,
  names: readonly string[],
  file?: string,
  keep?: ReadonlySet<number>,
): AsyncGenerator<CsvRecord[]> {
  let pending = ''
  let line = 1
  let header: CsvRecord | undefined
  let kept: (readonly [name: string, column: number])[] = []

  const tooLong = () => (line === 1 ? new JsonDocument(file) : new ImportRefusal('This line is too long', { file, line }))

  function parsed(one: string): ReadonlyMap<string, string> {
    if (one.length > maxRecord) throw tooLong()
    return one.trim() === '' ? noValues : valuesOf(one, line, file)
  }

  /** The header, from lines of which one has values; leaves `line` as it was. */
  function headerOf(lines: readonly string[]): CsvRecord | undefined {
    const before = line
    let first: number | undefined
    const all = new Set<string>()
    for (const one of lines) {
      const values = parsed(one)
      if (values.size > 0) first ??= line
      for (const name of values.keys()) all.add(name)
      line += 1
    }
    line = before
    if (first === undefined) return undefined
    for (const name of names) all.add(name)
    // Every record gets a field for each name, so names that differ per line would multiply.
    if (all.size > maxFields) throw tooMany(first, file)
    return { line: first, fields: [...all] }
  }

  function recordOf(one: string): CsvRecord {
    const values = parsed(one)
    const fields = values.size === 0 ? [] : Array.from(header?.fields ?? [], () => '')
    if (values.size > 0) for (const [name, column] of kept) fields[column] = values.get(name) ?? ''
    return { line: line++, fields }
  }

  async function* take(lines: readonly string[]): AsyncGenerator<CsvRecord[]> {
    if (!header) {
      header = headerOf(lines)
      kept = (header?.fields ?? []).map((name, column) => [name, column] as const).filter(([, column]) => keep?.has(column) ?? true)
      if (header) yield [header]
    }
    for (let at = 0; at < lines.length; at += linesAtOnce) {
      if (at > 0) await nextTurn()
      yield lines.slice(at, at + linesAtOnce).map(recordOf)
    }
  }

  for await (const piece of text) {
    const lines = (pending + piece).split('\n')
    pending = lines.pop() ?? ''
    yield* take(lines)
    if (pending.length > maxRecord) throw tooLong()
  }
  if (pending !== '') yield* take([pending])
}

const noValues: ReadonlyMap<string, string> = new Map()

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
