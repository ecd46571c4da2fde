import type { Profile } from './profiles.ts'

export const DEVICES = ['DESKTOP', 'MOBILE', 'TABLET'] as const
const SLOTS = 1024

/** The country and device combinations of a property. Cell index = country × 3 + device. */
export interface Cells {
  readonly countries: string[]
  /** First slot of each cell out of 1024, with a last entry of 1024. */
  readonly starts: Int32Array
  /** The cell of each slot. */
  readonly slots: Int16Array
  /** Space for counts per cell, for one row at a time. */
  readonly capacity: number
}

/** Prepares a business's cells from its shares of countries and devices. */
export function buildCells(profile: Profile): Cells {
  const countries = profile.countries.map(([code]) => code)
  const total = profile.countries.reduce((sum, [, share]) => sum + share, 0)
  const count = countries.length * DEVICES.length
  const starts = new Int32Array(count + 1)
  const slots = new Int16Array(SLOTS)
  let share = 0
  for (let cell = 0; cell < count; cell++) {
    share += ((profile.countries[Math.floor(cell / 3)]?.[1] ?? 0) / total) * (profile.devices[cell % 3] ?? 0)
    starts[cell + 1] = cell === count - 1 ? SLOTS : Math.round(share * SLOTS)
    slots.fill(cell, starts[cell], starts[cell + 1])
  }
  return { countries, starts, slots, capacity: count }
}

/**
 * Distributes `n` items over the cells by their shares (systematic sampling): exactly n in all, each cell within one of its fair share. `u`
 * in [0, 1) decides who gets the odd ones.
 */
export function deal(cells: Cells, n: number, u: number, out: Int32Array): void {
  if (n === 0) return
  if (n < 48) {
    for (let i = 0; i < n; i++) {
      const cell = cells.slots[(((i + u) / n) * SLOTS) | 0] ?? 0
      out[cell] = (out[cell] ?? 0) + 1
    }
    return
  }
  let before = 0
  for (let cell = 0; cell < cells.capacity; cell++) {
    const upTo = Math.max(before, Math.ceil((n * (cells.starts[cell + 1] ?? 0)) / SLOTS - u))
    const until = cell === cells.capacity - 1 ? n : Math.min(n, upTo)
    out[cell] = (out[cell] ?? 0) + until - before
    before = until
  }
}
