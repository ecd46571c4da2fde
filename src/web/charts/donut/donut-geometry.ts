/** A part of a ring: where it begins and how long it is, as fractions of the whole, clockwise from the top. */
export type Slice = { start: number; share: number }

/** Parts of the whole, in their order; all nothing when the whole is. */
export function slicesOf(values: readonly number[]): Slice[] {
  const total = values.reduce((sum, value) => sum + value, 0)
  let start = 0
  return values.map((value) => {
    const slice = { start, share: total > 0 ? value / total : 0 }
    start += slice.share
    return slice
  })
}

/** The number of the part at a place of the ring's square, each from 0 to 1, from the left and from the top; null when all are nothing. */
export function sliceAt(slices: readonly Slice[], x: number, y: number): number | null {
  const turn = Math.atan2(x - 0.5, 0.5 - y) / (2 * Math.PI)
  const at = turn < 0 ? turn + 1 : turn
  const found = slices.findLastIndex(({ start, share }) => share > 0 && start <= at)
  return found === -1 ? null : found
}

/** How much of the ring is left open between two parts. */
const gap = 0.006

/** What is drawn of a part: shorter by the gap, unless it is the whole, and never so short that it cannot be seen. */
export function drawnOf({ start, share }: Slice): Slice {
  if (share >= 1) return { start, share }
  return { start: start + gap / 2, share: Math.max(share - gap, gap) }
}
