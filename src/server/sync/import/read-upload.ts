import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { IsoDate, SearchType } from '../../../contract/common.ts'
import type { Dimension } from './columns.ts'
import { exportSettings } from './filters.ts'
import { ImportRefusal, shown } from './refusal.ts'
import type { ImportedRow } from './rows.ts'
import { type Peek, peek, readTable } from './table.ts'
import { openArchive, type Source } from './zip.ts'

/** Search Console has five tables without dates; nobody reads hundreds of sentences. */
const maxNotes = 20

/** What an uploaded file holds that can be stored by day. */
export type Upload = {
  dimensions: readonly Dimension[]
  /** Batches of rows, once; ends with an ImportRefusal at the first bad one. */
  rows: AsyncIterable<ImportedRow[]>
  /** What cannot be stored by day and what to know of the rest; complete once the rows were read. */
  notes(): string[]
  close(): void
}

type Peeked = { source: Source; peeked: Peek }

/**
 * Opens an uploaded file: a CSV, or a ZIP in which the table with dates is looked for.
 * @param name what the file was called on the person's disk
 * @param today the last day that can have data
 * @throws ImportRefusal
 */
export async function openUpload(path: string, name: string, today: IsoDate): Promise<Upload> {
  if (!(await isZip(path))) {
    const source = { label: undefined, open: async () => createReadStream(path) }
    const found = { source, peeked: await peek(source) }
    if (found.peeked.table.kind !== 'dated') throw notDated(found.peeked)
    return reading(found, [], 'web', today, () => {})
  }
  const archive = await openArchive(path)
  try {
    const tables: Peeked[] = []
    for (const source of archive.tables) tables.push({ source, peeked: await peek(source) })
    const dated = tables.filter(({ peeked }) => peeked.table.kind === 'dated')
    const first = dated[0]
    if (!first) throw new ImportRefusal(nothingDated(tables))
    const filters = tables.find(({ peeked }) => peeked.table.kind === 'filters')
    const settings = exportSettings(filters?.peeked.head ?? [], name, filters?.source.label)
    if (dated.length > 1) await mustAgree(dated, settings.searchType, today)
    const undated = tables.filter(({ peeked }) => peeked.table.kind === 'undated' && peeked.head.length > 1)
    const notes = [...settings.notes, ...undated.slice(0, maxNotes).map(undatedNote)]
    // Awaited here, so that a refusal closes the archive.
    return await reading(first, notes, settings.searchType, today, archive.close)
  } catch (error) {
    archive.close()
    throw error
  }
}

/** By its first bytes: people rename files. */
async function isZip(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    if (bytesRead === 0) throw new ImportRefusal('The file is empty')
    return buffer.toString('latin1', 0, 2) === 'PK' && [3, 5, 7].includes(buffer[2] ?? 0)
  } finally {
    await file.close()
  }
}

async function reading(
  { source, peeked }: Peeked,
  notes: string[],
  searchType: SearchType,
  today: IsoDate,
  close: () => void,
): Promise<Upload> {
  if (peeked.table.kind !== 'dated') throw new Error('only a dated table can be read')
  const { layout } = peeked.table
  const table = await readTable(source, peeked, { searchType, today })
  return {
    dimensions: layout.dimensions.map(({ name }) => name),
    rows: table.rows,
    notes: () => [
      ...notes,
      ...(layout.position === undefined ? ['The file has no positions, so none are shown for these days.'] : []),
      ...(layout.ignored.length > 0
        ? [
            `Columns that are not stored: ${layout.ignored
              .slice(0, 10)
              .map((header) => shown(header, 40))
              .join(', ')}.`,
          ]
        : []),
      ...(table.repetitionUnchecked() ? ['The file is so long that only its first four million rows were checked for repetition.'] : []),
    ],
    close,
  }
}

/** An export may hold the days twice, as chart and as table; both must then say the same. */
async function mustAgree(dated: readonly Peeked[], searchType: SearchType, today: IsoDate): Promise<void> {
  const said: { label: string | undefined; days: string }[] = []
  for (const { source, peeked } of dated) {
    if (peeked.table.kind === 'dated' && peeked.table.layout.dimensions.length > 0) throw severalTables(dated)
    const days: string[] = []
    for await (const batch of (await readTable(source, peeked, { searchType, today })).rows) {
      for (const row of batch) days.push(`${row.date} ${row.clicks} ${row.impressions}`)
    }
    said.push({ label: source.label, days: days.sort().join('\n') })
  }
  if (said.some(({ days }) => days !== said[0]?.days)) throw severalTables(dated)
}

const severalTables = (dated: readonly Peeked[]): ImportRefusal =>
  new ImportRefusal(
    `The ZIP holds several tables by date that differ (${dated
      .slice(0, 5)
      .map(({ source }) => source.label)
      .join(', ')}): import each as a file of its own`,
  )

const undatedNote = ({ source }: Peeked): string => `${source.label} has no dates, so its rows cannot be stored by day.`

function nothingDated(tables: readonly Peeked[]): string {
  if (tables.length === 0) return 'The ZIP holds no CSV file: use "Download CSV" under Export in Search Console'
  const names = tables
    .slice(0, 8)
    .map(({ source }) => source.label)
    .join(', ')
  return `No table by date was found in the ZIP (${names}): export the Performance report with all four metrics switched on`
}

function notDated({ table, head }: Peek): ImportRefusal {
  if (table.kind === 'empty') return new ImportRefusal('The file is empty')
  const headers = (head[0]?.fields ?? []).slice(0, 8).map((header) => `"${shown(header, 40)}"`)
  return new ImportRefusal(
    `No column of dates was found among ${headers.join(', ')}, so nothing can be stored by day: upload the whole ZIP, its Chart.csv or Dates.csv, or a CSV with a column "date"`,
    { line: head[0]?.line },
  )
}
