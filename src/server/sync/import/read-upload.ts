import { createHash } from 'node:crypto'
import type { IsoDate, SearchType } from '../../../contract/common.ts'
import type { Grain } from '../../facts/schema.ts'
import { JsonDocument } from './bulk/json-lines.ts'
import { bulkUpload } from './bulk/upload.ts'
import { type Dimension, pageIndexing } from './file/columns.ts'
import { exportSettings } from './file/filters.ts'
import type { OnRead, OnUnkept, Source } from './file/source.ts'
import { type Peek, peek, readTable } from './file/table.ts'
import { derivable } from './grains.ts'
import { createTurns } from './file/turns.ts'
import { ImportRefusal, shown } from './refusal.ts'
import type { ImportedRow } from './rows.ts'
import { openSources, type UploadedFile } from './sources.ts'

const rareQueries =
  'Search Console leaves rare queries out of such tables, so the totals for these days may be lower than in Search Console.'

/** Search Console has five tables without dates; nobody reads hundreds of notes. */
const maxNotes = 20

/** A table of an upload, and the grains it fills. */
export type Part = {
  dimensions: readonly Dimension[]
  grains(type: SearchType): readonly Grain[]
  /** The grains it fills only on days without stored data: another table knows better. */
  asLast: readonly Grain[]
  /** Whether its figures count for the upload; another table may contain the same clicks. */
  isCounted: boolean
  /** Batches of rows, once; throws an ImportRefusal at the first bad one. */
  rows: AsyncIterable<ImportedRow[]>
}

/** The part of an upload that can be stored by day. */
export type Upload = {
  parts: readonly Part[]
  /** Total bytes to read. */
  size: number
  /** The site that the files name as theirs; known once the rows are read. */
  site(): string | undefined
  /** What cannot be stored by day, and remarks on the rest; complete once the rows are read. */
  notes(): string[]
  close(): void
}

export type Peeked = { source: Source; peeked: Peek }

/**
 * Inputs for reading an upload's rows. `today`: the last day that can have data; `most`: bytes to read in all, unpacked; `onUnpacked`:
 * called with the number of bytes at each reading of a file.
 */
export type Reading = { today: IsoDate; onRead?: OnRead; onUnpacked?: OnRead; onUnkept?: OnUnkept; most?: number }

/**
 * Opens uploaded files: the tables of a bulk export, or one table by date, alone or in a ZIP with others.
 * @throws ImportRefusal; LongerThanAllowed, also while its rows are read
 */
export async function openUpload(files: readonly UploadedFile[], reading: Reading): Promise<Upload> {
  if (files.some(({ name }) => /-Coverage(?:-[A-Za-z]{1,20}){0,4}-\d{4}-\d\d-\d\d/.test(name))) throw pageIndexing()
  const sources = await openSources(files, reading)
  try {
    const tables: Peeked[] = []
    const turns = createTurns()
    for (const source of sources.list) {
      tables.push({ source, peeked: await peek(source) })
      if (turns.areDue()) await turns.pass()
    }
    const parts = bulkUpload(tables, reading) ?? (await datedUpload(tables, files, reading))
    return { ...parts, close: sources.close }
  } catch (error) {
    sources.close()
    throw error
  }
}

async function datedUpload(tables: readonly Peeked[], files: readonly UploadedFile[], reading: Reading): Promise<Omit<Upload, 'close'>> {
  const name = files[0]?.name ?? ''
  const dated = tables.filter(({ peeked }) => peeked.table.kind === 'dated')
  const first = dated[0]
  if (!first) throw nothingDated(tables)
  const filters = tables.find(({ peeked }) => peeked.table.kind === 'filters')
  const settings = exportSettings(filters?.peeked.head ?? [], name)
  if (dated.length > 1) await mustAgree(dated, { searchType: settings.searchType, today: reading.today, onUnkept: reading.onUnkept })
  const undated = tables.filter(({ peeked }) => peeked.table.kind === 'undated' && peeked.head.length > 1)
  const notes = [...settings.notes, ...undated.slice(0, maxNotes).map(undatedNote)]
  return datedTable(first, notes, { ...reading, searchType: settings.searchType })
}

async function datedTable(
  { source, peeked }: Peeked,
  notes: string[],
  reading: Reading & { searchType: SearchType },
): Promise<Omit<Upload, 'close'>> {
  if (peeked.table.kind !== 'dated') throw new Error('only a dated table can be read')
  const { layout } = peeked.table
  const table = await readTable(source, peeked, reading)
  const dimensions = layout.dimensions.map(({ name }) => name)
  return {
    parts: [{ dimensions, grains: () => derivable(dimensions), asLast: [], isCounted: true, rows: table.rows }],
    size: source.size,
    site: () => undefined,
    notes: () => [
      ...notes,
      ...(layout.position === undefined ? ['The file has no positions, so these days have none.'] : []),
      ...(layout.ignored.length > 0
        ? [
            `Columns not stored: ${layout.ignored
              .slice(0, 10)
              .map((header) => shown(header, 40))
              .join(', ')}.`,
          ]
        : []),
      ...(dimensions.includes('query') ? [rareQueries] : []),
      ...(table.repetitionUnchecked() ? ['The file is so long that only its first four million rows were checked for duplicates.'] : []),
    ],
  }
}

/** An export may contain the days twice, as chart and as table; both must then agree. */
async function mustAgree(dated: readonly Peeked[], rules: Parameters<typeof readTable>[2]): Promise<void> {
  let first: string | undefined
  for (const { source, peeked } of dated) {
    if (peeked.table.kind === 'dated' && peeked.table.layout.dimensions.length > 0) throw severalTables(dated)
    const days: string[] = []
    for await (const batch of (await readTable(source, peeked, rules)).rows) {
      rules.onUnkept?.(batch.length)
      for (const row of batch) days.push(`${row.date} ${row.clicks} ${row.impressions}`)
    }
    // Not the days themselves: there may be hundreds of such tables.
    const said = createHash('sha256').update(days.sort().join('\n')).digest('hex')
    first ??= said
    if (said !== first) throw severalTables(dated)
  }
}

const severalTables = (dated: readonly Peeked[]): ImportRefusal =>
  new ImportRefusal(
    `The ZIP contains several daily tables that differ (${dated
      .slice(0, 5)
      .map(({ source }) => source.label)
      .join(', ')}): import each one separately`,
  )

const undatedNote = ({ source }: Peeked): string => `${source.label} has no dates, so its rows can't be stored by day.`

/** Why nothing can be stored; only a file uploaded alone, not in a ZIP, has a header to show. */
function nothingDated(tables: readonly Peeked[]): ImportRefusal {
  const [only] = tables
  if (!only) return new ImportRefusal('The ZIP contains no CSV file: use "Download CSV" under Export in Search Console')
  const kinds = tables.map(({ peeked }) => peeked.table.kind)
  if (kinds.includes('json')) return new JsonDocument(tables.find(({ peeked }) => peeked.table.kind === 'json')?.source.label)
  if (kinds.includes('log')) {
    return new ImportRefusal('ExportLog only lists export times: add searchdata_site_impression and searchdata_url_impression')
  }
  if (tables.length === 1 && only.source.label === undefined) return notDated(only.peeked)
  const names = tables
    .slice(0, 8)
    .map(({ source }) => source.label)
    .join(', ')
  return new ImportRefusal(`No daily table found in ${names}: export the Performance report with all four metrics turned on`)
}

function notDated({ table, head }: Peek): ImportRefusal {
  if (table.kind === 'empty') return new ImportRefusal('The file is empty')
  const headers = (head[0]?.fields ?? []).slice(0, 8).map((header) => `"${shown(header, 40)}"`)
  return new ImportRefusal(
    `No date column found in ${headers.join(', ')}: upload the whole ZIP, its Chart.csv or Dates.csv, or a CSV with a "date" column`,
    { line: head[0]?.line },
  )
}
