import { type FactRow, lettersOf, type Load } from '../../facts/load.ts'
import { type Grain, grainDimensions, grains } from '../../facts/schema.ts'
import { ownText } from './bulk/fold.ts'
import type { ImportedRow } from './rows.ts'

/** Rows held per grain before writing. */
const heldRows = 50_000
/** Maximum number of characters that all writers of an upload may hold together. Rows of usual length reach `heldRows` first. */
export const mostHeld = 48 * 1024 * 1024
/** Memory that a row takes besides the characters of its keys. */
const perRow = 128
/** The store's clicks and impressions are UInt32. */
const maxStored = 0xffff_ffff

type Sum = { keys: string[]; clicks: number; impressions: number; positionSum: number }
/** One day's sums by key, and those of the same keys that can't take more: readers add up a key's several rows. */
type Day = { sums: Map<string, Sum>; full: Sum[] }
type GrainSums = { grain: Grain; columns: number[]; held: Map<string, Day>; size: number; letters: number }

const sizeOf = ({ sums, full }: Day): number => sums.size + full.length
const monthOf = (date: string): string => date.slice(0, 7)

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
 * @param onMonths called before some rows of a grain are written, with the number of rows per month, by which the store is partitioned; may throw
 */
export function createGrainWriter(
  load: Load,
  dimensions: readonly string[],
  wanted: readonly Grain[],
  onMonths: (rows: readonly number[]) => void = () => {},
): GrainWriter {
  const all: GrainSums[] = wanted.map((grain) => ({
    grain,
    columns: grainDimensions[grain].map((name) => dimensions.indexOf(name)),
    held: new Map(),
    size: 0,
    letters: 0,
  }))

  async function write(sums: GrainSums, days: readonly string[]): Promise<void> {
    const rows: FactRow[] = []
    const months = new Map<string, number>()
    for (const date of days) {
      const day = sums.held.get(date)
      if (!day) continue
      for (const { keys, clicks, impressions, positionSum } of [...day.sums.values(), ...day.full]) {
        sums.letters -= lettersOf(keys)
        rows.push({ date, keys, clicks, impressions, position: impressions === 0 ? 0 : positionSum / impressions })
      }
      months.set(monthOf(date), (months.get(monthOf(date)) ?? 0) + sizeOf(day))
      sums.held.delete(date)
    }
    sums.size -= rows.length
    if (rows.length === 0) return
    onMonths([...months.values()])
    await load.write(sums.grain, rows)
  }

  return {
    async add(rows) {
      for (const sums of all) {
        for (const row of rows) {
          if (addTo(sums, row)) continue
          await write(sums, daysToWrite(sums, row.date))
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

/**
 * The days to write to make room: at least half of what is held, from as few months as possible, since each of them costs the store as
 * much as thousands of rows. Files are mostly sorted by day, so the current month waits if the others suffice, and the current day unless
 * it makes up most of what is held.
 */
function daysToWrite({ held, size }: GrainSums, date: string): string[] {
  const months = [...Map.groupBy(held.keys(), monthOf)].map(([month, days]) => {
    const rows = days.reduce((sum, day) => sum + sizeOfHeld(held, day), 0)
    return { month, days, rows }
  })
  const current = months.find(({ month }) => month === monthOf(date))
  const others = months.filter((month) => month !== current).toSorted((a, b) => b.rows - a.rows)
  const suffice = size - (current?.rows ?? 0) >= size / 2
  const chosen: string[] = []
  let rows = 0
  for (const { days } of current && !suffice ? [current, ...others] : others) {
    if (rows >= size / 2) break
    const some = days.filter((day) => day !== date || sizeOfHeld(held, day) > size / 2)
    chosen.push(...some)
    rows += some.reduce((sum, day) => sum + sizeOfHeld(held, day), 0)
  }
  return chosen
}

const sizeOfHeld = (held: GrainSums['held'], date: string): number => {
  const day = held.get(date)
  return day ? sizeOf(day) : 0
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
  const sum = day?.sums.get(key)
  if (sum && sum.impressions + row.impressions <= maxStored) {
    sum.clicks += row.clicks
    sum.impressions += row.impressions
    sum.positionSum += positionSum
    return true
  }
  if (sums.size >= heldRows) return false
  if (!day) sums.held.set(row.date, (day = { sums: new Map(), full: [] }))
  if (sum) day.full.push(sum)
  const keys = [first, second].slice(0, sums.columns.length).map(ownText)
  day.sums.set(two === undefined ? (keys[0] ?? '') : key, { keys, clicks: row.clicks, impressions: row.impressions, positionSum })
  sums.size += 1
  sums.letters += lettersOf(keys)
  return true
}
