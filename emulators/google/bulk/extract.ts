import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { View } from '../figures/hours.ts'
import type { SearchType } from '../figures/profiles.ts'
import type { PropertyData } from '../figures/property.ts'
import { type BulkRow, bulkRows, COLUMNS, type Table, TABLE_NAMES } from './tables.ts'

export interface ExtractJob {
  readonly start: number
  readonly end: number
  readonly directory: string
  readonly format: 'csv' | 'json'
  readonly gzip: boolean
  /** Files per table; rows are spread over them, so that each has some of every day. */
  readonly shards: number
  /** Maximum rows of a table per day and search type; null: all. */
  readonly rowsADay: number | null
}

export interface Extracted {
  readonly table: Table
  readonly path: string
  readonly rows: number
}

/** Writes both tables of a property's bulk export, in the format of `bq extract`. */
export function extract(property: PropertyData, job: ExtractJob, view: View): Extracted[] {
  mkdirSync(job.directory, { recursive: true })
  return (['site', 'url'] as const).flatMap((table) => extractTable(property, table, job, view))
}

function extractTable(property: PropertyData, table: Table, job: ExtractJob, view: View): Extracted[] {
  const ending = `${job.format}${job.gzip ? '.gz' : ''}`
  const files = Array.from({ length: job.shards }, (_, shard) => {
    const file = path.join(job.directory, `${TABLE_NAMES[table]}-${String(shard).padStart(12, '0')}.${ending}`)
    return { path: file, descriptor: openSync(file, 'w'), rows: 0, text: job.format === 'csv' ? `${COLUMNS[table].join(',')}\n` : '' }
  })
  const flush = (): void => {
    for (const file of files) {
      if (file.text === '') continue
      writeSync(file.descriptor, job.gzip ? gzipSync(file.text, { level: 1 }) : Buffer.from(file.text))
      file.text = ''
    }
  }
  const write = job.format === 'csv' ? csvLine : jsonLine
  for (let day = job.start; day <= job.end; day++) {
    for (const type of Object.keys(property.profile?.surfaces ?? {}) as SearchType[]) {
      let n = 0
      for (const row of bulkRows(property, table, type, day, view)) {
        const file = files[n % files.length]
        if (!file || (job.rowsADay !== null && n === job.rowsADay)) break
        file.text += write(table, row)
        file.rows += 1
        n += 1
      }
    }
    flush()
  }
  flush()
  for (const file of files) closeSync(file.descriptor)
  return files.map((file) => ({ table, path: file.path, rows: file.rows }))
}

/** NULL and an empty string look the same in CSV. */
const csvLine = (_table: Table, row: BulkRow): string => `${row.map(csvCell).join(',')}\n`

function csvCell(value: BulkRow[number]): string {
  const text = value === null ? '' : String(value)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Integers are strings, so that no digit is lost; NULL fields are omitted. */
function jsonLine(table: Table, row: BulkRow): string {
  const fields = COLUMNS[table].flatMap((name, at) => {
    const value = row[at] ?? null
    return value === null ? [] : [[name, typeof value === 'number' ? String(value) : value] as const]
  })
  const text = JSON.stringify(Object.fromEntries(fields))
  return `${text.replace(/[<>&]/g, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`)}\n`
}
