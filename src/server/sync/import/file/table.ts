import { limited, maxCell } from './cells.ts'
import { type Layout, notByDay, recognizeTable, type Table } from './columns.ts'
import { bulkColumns } from '../bulk/layout.ts'
import { type CsvRecord, readCsv } from './csv.ts'
import { type DateOrder, granularity, provenOrder, readDate } from './dates.ts'
import { ownText } from '../bulk/fold.ts'
import { JsonDocument, readJsonLines } from '../bulk/json-lines.ts'
import { createKeySet, keyOf } from '../bulk/key-set.ts'
import { ImportRefusal } from '../refusal.ts'
import { createRowReader, type ImportedRow, type RowRules } from '../rows.ts'
import { decodeText } from './text.ts'
import type { OnRead, OnUnkept, Source } from './source.ts'
import { createTurns } from './turns.ts'

const maxSettings = 50
/** Maximum number of characters read of a table's first records, beyond the first two; every table of an upload keeps what matters of them. */
const maxHead = 32 * 1024
/** Memory that a field takes besides its characters. */
const perField = 24
/** Empty rows count neither as rows nor toward the daily limit, so a file of nothing else could take hours to read. */
const mostEmptyRows = 100_000

/** A table's kind, and its first records with fields cut to `maxCell`, which say what filters it has and how it writes its dates. */
export type Peek = { table: Table; head: CsvRecord[] }

type HowToRead = { onRead?: OnRead | undefined; keep?: ReadonlySet<number> }

/** The records of a file, CSV or newline-delimited JSON, with the header first. `keep`: see `readCsv`. */
export async function* records(source: Source, { onRead, keep }: HowToRead = {}): AsyncGenerator<CsvRecord[]> {
  const text = decodeText(await source.open(onRead), source.label)
  const first = await text.next()
  if (first.done) return
  const whole = startingWith(first.value, text)
  const isJson = /^\s*[[{]/.test(first.value)
  let empty = 0
  for await (const batch of isJson ? readJsonLines(whole, bulkColumns, source.label, keep) : readCsv(whole, source.label, keep)) {
    // Spreadsheets write empty rows as lines of delimiters.
    const rows = batch.filter(({ fields }) => fields.some((field) => field.trim() !== ''))
    empty += batch.length - rows.length
    if (empty > mostEmptyRows) {
      const message = `There are more than ${mostEmptyRows.toLocaleString('en-US')} empty rows: delete them and try again`
      throw new ImportRefusal(message, { file: source.label, line: batch.at(-1)?.line })
    }
    yield rows
  }
}

async function* startingWith(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield first
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}

/** Reads the beginning of a file and recognizes its content. @throws ImportRefusal */
export async function peek(source: Source): Promise<Peek> {
  const head: CsvRecord[] = []
  let letters = 0
  try {
    read: for await (const batch of records(source)) {
      for (const { line, fields } of batch) {
        letters += fields.reduce((sum, { length }) => sum + length + perField, 0)
        if (head.length > maxSettings || (head.length > 1 && letters > maxHead)) break read
        head.push({ line, fields: fields.map((field) => ownText(field.trim().slice(0, maxCell))) })
      }
    }
  } catch (error) {
    if (error instanceof JsonDocument) return { table: { kind: 'json' }, head }
    throw error
  }
  const table = recognizeTable(head[0], head[1], source.label)
  // A dated table and the filters are read by these; for any other, at most its first columns are named.
  if (table.kind === 'dated' || table.kind === 'filters') return { table, head }
  return { table, head: head.slice(0, 2).map(({ line, fields }) => ({ line, fields: fields.slice(0, 10) })) }
}

/** The first unambiguous date in the file settles 01/07/2026. */
async function dateOrder(
  source: Source,
  layout: Layout,
  head: readonly CsvRecord[],
  onUnkept: OnUnkept | undefined,
): Promise<DateOrder | undefined> {
  const cellOf = ({ line, fields }: CsvRecord): string =>
    limited('date', (fields[layout.date] ?? '').trim(), (message) => new ImportRefusal(message, { file: source.label, line }))
  const first = head.slice(1).map(cellOf)
  if (!first.some((cell) => readDate(cell).kind === 'ambiguous')) return first.map(provenOrder).find((order) => order !== undefined)
  const turns = createTurns()
  for await (const batch of records(source, { keep: new Set([layout.date]) })) {
    for (const record of batch) {
      const proven = provenOrder(cellOf(record))
      if (proven) return proven
      if (turns.areDue()) await turns.pass()
    }
    onUnkept?.(batch.length)
  }
  throw new ImportRefusal('The dates could be day first or month first: write them as YYYY-MM-DD', {
    file: source.label,
    line: head[1]?.line,
  })
}

export type TableReading = {
  /** Batches of checked rows, once; throws a refusal at the first bad one. */
  rows: AsyncGenerator<ImportedRow[]>
  /** True once there were too many rows to check for repetition. */
  repetitionUnchecked(): boolean
}

/**
 * Reads a dated table from its beginning. Every key (type, date and dimensions) may come once, and the days must not be spaced like weeks
 * or months.
 */
export async function readTable(
  source: Source,
  peeked: Peek,
  { onRead, onUnkept, ...rules }: Omit<RowRules, 'dateOrder' | 'file' | 'layout'> & { onRead?: OnRead; onUnkept?: OnUnkept | undefined },
): Promise<TableReading> {
  if (peeked.table.kind !== 'dated') throw new Error('only a dated table has rows')
  const { layout } = peeked.table
  const read = createRowReader({ ...rules, layout, file: source.label, dateOrder: await dateOrder(source, layout, peeked.head, onUnkept) })
  const keys = createKeySet()
  let unchecked = false

  async function* rows(): AsyncGenerator<ImportedRow[]> {
    const days = new Set<string>()
    const turns = createTurns()
    let isHeader = true
    for await (const batch of records(source, { onRead })) {
      const from = isHeader && batch.length > 0 ? 1 : 0
      if (from === 1) isHeader = false
      const ready: ImportedRow[] = []
      for (const record of batch.slice(from)) {
        const row = read(record)
        days.add(row.date)
        if (keys.full) unchecked = true
        else if (!keys.add(row.searchType + keyOf(row.date, row.values.map(String)))) throw repeated(row, layout, record.line, source.label)
        ready.push(row)
        if (turns.areDue()) await turns.pass()
      }
      if (ready.length > 0) yield ready
    }
    if (days.size === 0) throw new ImportRefusal('The daily table has no rows', { file: source.label })
    const span = granularity(days, layout.dimensions.length === 0 ? 2 : 3)
    if (span) throw notByDay(span, source.label)
  }

  return { rows: rows(), repetitionUnchecked: () => unchecked }
}

function repeated(row: ImportedRow, layout: Layout, line: number, file: string | undefined): ImportRefusal {
  const names = layout.dimensions.map(({ name }) => name)
  const what = names.length === 0 ? `The day ${row.date}` : `The same ${names.join(', ')} on ${row.date}`
  return new ImportRefusal(`${what} appears more than once in this file`, { file, line })
}
