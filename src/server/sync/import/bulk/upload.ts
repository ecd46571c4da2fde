import { createHash, type Hash } from 'node:crypto'
import { type Grain, grainDimensions, grains } from '../../../facts/schema.ts'
import { grainsOf } from '../../sync-plan.ts'
import { type BulkLayout, type BulkTable, bulkDimensions } from './layout.ts'
import { type BulkSeen, createBulkReader } from './rows.ts'
import { derivable } from '../grains.ts'
import type { Part, Peeked, Reading, Upload } from '../read-upload.ts'
import { ImportRefusal } from '../refusal.ts'
import type { ImportedRow } from '../rows.ts'
import { observed, type Source } from '../file/source.ts'
import { records } from '../file/table.ts'
import { createTurns } from '../file/turns.ts'

type Shard = { source: Source; layout: BulkLayout }

/** Grains that Google's API also counts by page. */
const ofPages: readonly Grain[] = grains.filter((grain) => (grainDimensions[grain] as readonly string[]).includes('page'))
const ofSite: readonly Grain[] = grains.filter((grain) => !ofPages.includes(grain))

/** The tables of a bulk export among the files, each in any number of shards; undefined if there are none. @throws ImportRefusal */
export function bulkUpload(tables: readonly Peeked[], reading: Reading): Omit<Upload, 'close'> | undefined {
  const shards = tables.flatMap(({ source, peeked: { table } }) => (table.kind === 'bulk' ? [{ source, layout: table.layout }] : []))
  if (shards.length === 0) return undefined
  const other = tables.find(({ peeked }) => peeked.table.kind !== 'bulk' && peeked.table.kind !== 'log' && peeked.table.kind !== 'empty')
  if (other) throw new ImportRefusal("This isn't a bulk export table: import it separately", { file: other.source.label })

  const seen: BulkSeen = { site: undefined }
  const of = (table: BulkTable): Shard[] => shards.filter(({ layout }) => layout.table === table)
  const [site, url] = [of('site'), of('url')]
  const blank = tables.filter(({ peeked }) => peeked.table.kind === 'empty')
  for (const some of [site, url]) mustBeWhole(labelsOf(some), labelsOf(blank))
  const part = (some: readonly Shard[], wanted: readonly Grain[], asLast: readonly Grain[], isCounted: boolean): Part[] => {
    const [first] = some
    if (!first) return []
    const dimensions = bulkDimensions(first.layout)
    mustBeAlike(some)
    const known = derivable(dimensions).filter((grain) => wanted.includes(grain))
    const ofType: Part['grains'] = (type) => known.filter((grain) => grainsOf(type).includes(grain))
    return [{ dimensions, grains: ofType, asLast, isCounted, rows: rowsOf(some, reading, seen) }]
  }
  return {
    parts: site.length > 0 ? [...part(site, ofSite, [], true), ...part(url, ofPages, [], false)] : part(url, grains, ofSite, true),
    size: shards.reduce((sum, { source }) => sum + source.size, 0),
    site: () => seen.site,
    notes: () =>
      site.length === 0
        ? [
            'Only the URL table was added, so totals, queries, countries and devices count each page of a result separately: import searchdata_site_impression, too.',
          ]
        : [],
  }
}

async function* rowsOf(shards: readonly Shard[], { today, onRead, onUnkept }: Reading, seen: BulkSeen): AsyncGenerator<ImportedRow[]> {
  const labelOf = new Map<string, string | undefined>()
  const turns = createTurns()
  for (const { source, layout } of shards) {
    const digest = createHash('sha256')
    const read = createBulkReader(layout, { today, file: source.label, seen })
    let [isHeader, isBlank] = [true, true]
    const keep = new Set(Object.values(layout.columns))
    for await (const batch of records(hashed(source, digest), { onRead, keep })) {
      const rows: ImportedRow[] = []
      for (let at = isHeader ? 1 : 0; at < batch.length; at++) {
        const row = read(batch[at] as (typeof batch)[number])
        if (row) rows.push(row)
        if (turns.areDue()) await turns.pass()
      }
      onUnkept?.(batch.length - (isHeader && batch.length > 0 ? 1 : 0) - rows.length)
      if (batch.length > 0) isHeader = false
      if (rows.length === 0) continue
      isBlank = false
      yield rows
    }
    if (isBlank) continue
    // Nothing is visible before everything is read, so it can still be refused now.
    const content = digest.digest('hex')
    if (labelOf.has(content))
      throw new ImportRefusal(`This file has the same rows as ${labelOf.get(content)}. Add only one of them`, { file: source.label })
    labelOf.set(content, source.label)
  }
}

/** The same bytes, fed into the digest as they pass. */
const hashed = (source: Source, digest: Hash): Source => ({
  ...source,
  open: async (onRead) => observed(await source.open(onRead), (piece) => void digest.update(piece)),
})

function mustBeAlike(shards: readonly Shard[]): void {
  const columnsOf = ({ layout }: Shard): string => bulkDimensions(layout).join(', ')
  const [first] = shards
  const other = shards.find((shard) => first && columnsOf(shard) !== columnsOf(first))
  if (first && other) {
    throw new ImportRefusal(`The columns differ from ${first.source.label} (${columnsOf(other)}, not ${columnsOf(first)})`, {
      file: other.source.label,
    })
  }
}

const labelsOf = (some: readonly { source: Source }[]): string[] => some.flatMap(({ source }) => source.label ?? [])

/** BigQuery numbers the shards of a table from 0, with twelve digits. */
const numbered = /^(.*?)(\d{12})(\D*)$/
export const isNumberedShard = (label: string): boolean => numbered.test(label)
const numberOf = (label: string): number => Number(numbered.exec(label)?.[2])
const unpackedName = (label: string): string => label.replace(/\.gz$/i, '')
const patternOf = (label: string): string => unpackedName(label).replace(numbered, '$1*$3')

/**
 * Days are summed over all shards of a table: a missing shard would make them look whole but too small, and a duplicate would count twice.
 * `blank`: shards without a row, from any table.
 */
function mustBeWhole(labels: readonly string[], blank: readonly string[]): void {
  for (const same of Map.groupBy(labels, unpackedName).values()) {
    const packed = same.find((label) => label !== unpackedName(label))
    if (packed !== undefined && new Set(same).size > 1)
      throw new ImportRefusal(`This is a gzipped copy of ${unpackedName(packed)}. Add only one of them`, { file: packed })
  }
  for (const [pattern, some] of Map.groupBy(labels.filter(isNumberedShard), patternOf)) {
    if (new Set(some.map(numberOf)).size < some.length)
      throw new ImportRefusal('This file was added twice', { file: some.find((label, at) => some.indexOf(label) < at) })
    const numbers = new Set([...some, ...blank.filter((label) => isNumberedShard(label) && patternOf(label) === pattern)].map(numberOf))
    for (let number = 0; number < numbers.size; number++) {
      if (!numbers.has(number)) {
        throw new ImportRefusal(
          `${pattern.replace('*', String(number).padStart(12, '0'))} is missing: add all files of a table at once, because one day may be spread across several files`,
        )
      }
    }
  }
}
