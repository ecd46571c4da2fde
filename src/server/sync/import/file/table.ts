import { type Layout, notByDay, recognise, type Table } from './columns.ts'
import { bulkColumns } from '../bulk/layout.ts'
import { type CsvRecord, readCsv } from './csv.ts'
import { type DateOrder, granularity, provenOrder, readDate } from './dates.ts'
import { JsonDocument, readJsonLines } from '../bulk/json-lines.ts'
import { createKeySet, keyOf } from '../bulk/key-set.ts'
import { ImportRefusal } from '../refusal.ts'
import { createRowReader, type ImportedRow, type RowRules } from '../rows.ts'
import { decodeText } from './text.ts'
import type { OnRead, Source } from './source.ts'

const maxSettings = 50

/** A table's kind, and its first records where it is small enough to matter (the filters). */
export type Peek = { table: Table; head: CsvRecord[] }

type HowToRead = { onRead?: OnRead | undefined; keep?: ReadonlySet<number> }

/** The records of a file, CSV or newline-delimited JSON, with the header first. `keep`: see `readCsv`. */
export async function* records(source: Source, { onRead, keep }: HowToRead = {}): AsyncGenerator<CsvRecord[]> {
  const text = decodeText(await source.open(onRead), source.label)
  const first = await text.next()
  if (first.done) return
  const whole = startingWith(first.value, text)
  const isJson = /^\s*[[{]/.test(first.value)
  for await (const batch of isJson ? readJsonLines(whole, bulkColumns, source.label) : readCsv(whole, source.label, keep)) {
    // Spreadsheets save empty rows as lines of delimiters.
    yield batch.filter(({ fields }) => fields.some((field) => field.trim() !== ''))
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

/** Reads the beginning of a file and tells what it holds. @throws ImportRefusal */
export async function peek(source: Source): Promise<Peek> {
  const head: CsvRecord[] = []
  try {
    for await (const batch of records(source)) {
      head.push(...batch.slice(0, maxSettings))
      if (head.length > maxSettings) break
    }
  } catch (error) {
    if (error instanceof JsonDocument) return { table: { kind: 'json' }, head }
    throw error
  }
  return { table: recognise(head[0], head[1], source.label), head }
}

/** 01/07/2026 is settled by the first date of the file that can only be read one way. */
async function dateOrder(source: Source, layout: Layout, head: readonly CsvRecord[]): Promise<DateOrder | undefined> {
  const cells = (batch: readonly CsvRecord[]): string[] => batch.map(({ fields }) => (fields[layout.date] ?? '').trim())
  const kinds = cells(head.slice(1)).map((cell) => readDate(cell).kind)
  if (!kinds.includes('ambiguous'))
    return cells(head.slice(1))
      .map(provenOrder)
      .find((order) => order !== undefined)
  for await (const batch of records(source)) {
    const proven = cells(batch)
      .map(provenOrder)
      .find((order) => order !== undefined)
    if (proven) return proven
  }
  throw new ImportRefusal('The dates could be day first or month first: write them as YYYY-MM-DD', {
    file: source.label,
    line: head[1]?.line,
  })
}

export type TableReading = {
  /** Batches of checked rows, once; ends with a refusal at the first bad one. */
  rows: AsyncGenerator<ImportedRow[]>
  /** True once rows came that could not be watched for repetition any more. */
  repetitionUnchecked(): boolean
}

/**
 * Reads a dated table from its beginning. Every key (type, date and dimensions) may come once, and
 * the days may not lie as weeks or months do.
 */
export async function readTable(
  source: Source,
  peeked: Peek,
  { onRead, ...rules }: Omit<RowRules, 'dateOrder' | 'file' | 'layout'> & { onRead?: OnRead },
): Promise<TableReading> {
  if (peeked.table.kind !== 'dated') throw new Error('only a dated table has rows')
  const { layout } = peeked.table
  const read = createRowReader({ ...rules, layout, file: source.label, dateOrder: await dateOrder(source, layout, peeked.head) })
  const keys = createKeySet()
  let unchecked = false

  async function* rows(): AsyncGenerator<ImportedRow[]> {
    const days = new Set<string>()
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
      }
      if (ready.length > 0) yield ready
    }
    if (days.size === 0) throw new ImportRefusal('The table by date has no rows', { file: source.label })
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
