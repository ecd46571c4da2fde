/** A part of a ring: its start and length, as fractions of the whole, clockwise from the top. */
export type Slice = { start: number; share: number }

/** Parts of the whole, in order; all zero if the whole is. */
export function slicesOf(values: readonly number[]): Slice[] {
  const total = values.reduce((sum, value) => sum + value, 0)
  let start = 0
  return values.map((value) => {
    const slice = { start, share: total > 0 ? value / total : 0 }
    start += slice.share
    return slice
  })
}

/** The index of the part at a place in the ring's square, each from 0 to 1, from the left and from the top; null if all are zero. */
export function sliceAt(slices: readonly Slice[], x: number, y: number): number | null {
  const turn = Math.atan2(x - 0.5, 0.5 - y) / (2 * Math.PI)
  const at = turn < 0 ? turn + 1 : turn
  const found = slices.findLastIndex(({ start, share }) => share > 0 && start <= at)
  return found === -1 ? null : found
}

/** The open share of the ring between two parts. */
const gap = 0.006

/** A part as drawn: shortened by the gap, unless it is the whole, and never too short to be seen. */
export function drawnSlice({ start, share }: Slice): Slice {
  if (share >= 1) return { start, share }
  return { start: start + gap / 2, share: Math.max(share - gap, gap) }
}
