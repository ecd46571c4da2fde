/** Consecutive contours, in font units: each point's position and whether it is on the curve (1) or a control point (0). */
export type Outline = { /** Last point of each contour. */ ends: number[]; x: number[]; y: number[]; on: number[] }

export const emptyOutline = (): Outline => ({ ends: [], x: [], y: [], on: [] })

const headerLength = 10

/** A glyph in the `glyf` table's format; empty without contours. */
export function simpleGlyph({ ends, x, y, on }: Outline): Uint8Array {
  const points = x.length
  if (points === 0) return new Uint8Array(0)
  const flags = headerLength + ends.length * 2 + 2
  // No hints; two bytes per coordinate, as files are deflated anyway.
  const bytes = new Uint8Array(flags + points * 5)
  const view = new DataView(bytes.buffer)
  view.setInt16(0, ends.length)
  for (const [index, end] of ends.entries()) view.setUint16(headerLength + index * 2, end)
  bytes.set(on, flags)
  const [left, right] = writeAxis(view, flags + points, x)
  const [bottom, top] = writeAxis(view, flags + points * 3, y)
  for (const [index, edge] of [left, bottom, right, top].entries()) view.setInt16(2 + index * 2, edge)
  return bytes
}

/** Each point's offset from the previous one; returns the minimum and maximum. */
function writeAxis(view: DataView, at: number, values: readonly number[]): [least: number, most: number] {
  let [least, most, last] = [Infinity, -Infinity, 0]
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? 0
    view.setInt16(at + index * 2, value - last)
    if (value < least) least = value
    if (value > most) most = value
    last = value
  }
  return [least, most]
}
