import { type FactRow, lettersOf, type Load } from '../../facts/load.ts'
import { type Grain, grainDimensions, grains } from '../../facts/schema.ts'
import { ownText } from './bulk/fold.ts'
import type { ImportedRow } from './rows.ts'

/** Rows held per grain before writing; readers add up a key's several rows. */
const heldRows = 50_000
/** Most characters that all writers of an upload may hold together. Rows of usual length reach `heldRows` first. */
export const mostHeld = 48 * 1024 * 1024
/** Memory that a row takes besides the characters of its keys. */
const perRow = 128
/** The store's clicks and impressions are UInt32. */
const maxStored = 0xffff_ffff

type Sum = { keys: string[]; clicks: number; impressions: number; positionSum: number }
type GrainSums = { grain: Grain; columns: number[]; held: Map<string, Map<string, Sum>>; size: number; letters: number }

/** The grains that the file's dimensions allow; always totals. */
export function derivable(dimensions: readonly string[]): Grain[] {
  return grains.filter((grain) => grainDimensions[grain].every((name) => dimensions.includes(name)))
}

export type GrainWriter = {
  add(rows: readonly ImportedRow[]): Promise<void>
  /** Memory taken by the held rows, in characters. */
  held(): number
  /** Writes the held rows. */
  finish(): Promise<void>
}

/**
 * Adds rows up at the given grains and writes them in pieces, so memory stays bounded for files of any length. Mean positions are weighted
 * by impressions. A row whose key Google withholds is left out of grains with that key.
 */
export function createGrainWriter(load: Load, dimensions: readonly string[], wanted: readonly Grain[]): GrainWriter {
  const all: GrainSums[] = wanted.map((grain) => ({
    grain,
    columns: grainDimensions[grain].map((name) => dimensions.indexOf(name)),
    held: new Map(),
    size: 0,
    letters: 0,
  }))

  async function write(sums: GrainSums, days: readonly string[]): Promise<void> {
    const rows: FactRow[] = []
    for (const date of days) {
      for (const { keys, clicks, impressions, positionSum } of sums.held.get(date)?.values() ?? []) {
        sums.letters -= lettersOf(keys)
        rows.push({ date, keys, clicks, impressions, position: impressions === 0 ? 0 : positionSum / impressions })
      }
      sums.held.delete(date)
    }
    sums.size -= rows.length
    if (rows.length > 0) await load.write(sums.grain, rows)
  }

  /** Makes room. Files are mostly sorted by day, so the current day is kept unless it makes up most of what is held. */
  async function makeRoom(sums: GrainSums, date: string): Promise<void> {
    const others = [...sums.held.keys()].filter((day) => day !== date)
    const ofDay = sums.held.get(date)?.size ?? 0
    await write(sums, ofDay > sums.size / 2 ? [...others, date] : others)
  }

  return {
    async add(rows) {
      for (const sums of all) {
        for (const row of rows) {
          if (addTo(sums, row)) continue
          await makeRoom(sums, row.date)
          if (addTo(sums, row)) continue
          await write(sums, [row.date])
          addTo(sums, row)
        }
      }
    },
    // A row's key is held once more if it has two parts.
    held: () => all.reduce((sum, { size, letters, columns }) => sum + size * perRow + letters * columns.length, 0),
    async finish() {
      for (const sums of all) await write(sums, [...sums.held.keys()])
    },
  }
}

/** Returns false if the row only fits once held rows are written. */
function addTo(sums: GrainSums, row: ImportedRow): boolean {
  // No grain has more than two dimensions.
  const [one, two] = sums.columns
  const first = one === undefined ? '' : (row.values[one] ?? null)
  const second = two === undefined ? '' : (row.values[two] ?? null)
  if (first === null || second === null) return true
  const key = two === undefined ? first : `${first.length} ${first}${second}`
  const positionSum = row.position * row.impressions
  let day = sums.held.get(row.date)
  const sum = day?.get(key)
  if (!sum) {
    if (sums.size >= heldRows) return false
    if (!day) sums.held.set(row.date, (day = new Map()))
    const keys = [first, second].slice(0, sums.columns.length).map(ownText)
    day.set(two === undefined ? (keys[0] ?? '') : key, { keys, clicks: row.clicks, impressions: row.impressions, positionSum })
    sums.size += 1
    sums.letters += lettersOf(keys)
    return true
  }
  if (sum.impressions + row.impressions > maxStored) return false
  sum.clicks += row.clicks
  sum.impressions += row.impressions
  sum.positionSum += positionSum
  return true
}
