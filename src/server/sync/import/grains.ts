import type { FactRow, Load } from '../../facts/load.ts'
import { type Grain, grainDimensions, grains } from '../../facts/schema.ts'
import type { Dimension } from './columns.ts'
import { keyOf } from './key-set.ts'
import type { ImportedRow } from './rows.ts'

/** Rows kept per grain before they are written; readers add up what comes in several rows. */
const heldRows = 25_000
/** The store's clicks and impressions are UInt32. */
const maxStored = 0xffff_ffff

type Sum = { date: string; keys: string[]; clicks: number; impressions: number; positionSum: number }
type GrainSums = { grain: Grain; columns: number[]; held: Map<string, Sum> }

/** The grains whose dimensions the file has; totals always. */
export function derivable(dimensions: readonly Dimension[]): Grain[] {
  return grains.filter((grain) => grainDimensions[grain].every((name) => dimensions.includes(name)))
}

export type GrainWriter = {
  add(rows: readonly ImportedRow[]): Promise<void>
  /** Writes what is still held. */
  finish(): Promise<void>
}

/**
 * Adds rows up at every grain the file allows and writes them in pieces, so that memory stays
 * bounded whatever the file's length. Mean positions are weighted by impressions.
 */
export function createGrainWriter(load: Load, dimensions: readonly Dimension[]): GrainWriter {
  const all: GrainSums[] = derivable(dimensions).map((grain) => ({
    grain,
    columns: grainDimensions[grain].map((name) => dimensions.indexOf(name)),
    held: new Map(),
  }))

  async function write({ grain, held }: GrainSums): Promise<void> {
    if (held.size === 0) return
    const rows: FactRow[] = [...held.values()].map(({ date, keys, clicks, impressions, positionSum }) => ({
      date,
      keys,
      clicks,
      impressions,
      position: impressions === 0 ? 0 : positionSum / impressions,
    }))
    held.clear()
    await load.write(grain, rows)
  }

  return {
    async add(rows) {
      for (const sums of all) {
        for (const row of rows) {
          if (addTo(sums, row)) continue
          await write(sums)
          addTo(sums, row)
        }
      }
    },
    async finish() {
      for (const sums of all) await write(sums)
    },
  }
}

/** False where the row finds no room until the held ones are written. */
function addTo({ columns, held }: GrainSums, row: ImportedRow): boolean {
  const keys = columns.map((column) => row.values[column] as string)
  const key = keyOf(row.date, keys)
  const positionSum = row.position * row.impressions
  const sum = held.get(key)
  if (!sum) {
    if (held.size >= heldRows) return false
    held.set(key, { date: row.date, keys, clicks: row.clicks, impressions: row.impressions, positionSum })
    return true
  }
  if (sum.impressions + row.impressions > maxStored) return false
  sum.clicks += row.clicks
  sum.impressions += row.impressions
  sum.positionSum += positionSum
  return true
}
