export type LabelledBand = { x: number; width: number; textWidth: number }
/** `x` is the start or the end of the text. */
export type PlacedLabel = { x: number; anchor: 'start' | 'end'; row: number }

const gap = 8
/** Labels of adjacent bands must not touch. */
const inset = gap / 2

/**
 * Where the bands' labels go, within `from` and `to`, and in which row: 0 is the one next to the chart. A label starts or ends with its
 * band and extends to the side with more room; labels that would touch get different rows.
 */
export function placeBandLabels(bands: readonly LabelledBand[], from: number, to: number): PlacedLabel[] {
  const taken: { row: number; start: number; end: number }[] = []
  return bands.map(({ x, width, textWidth }) => {
    const start = Math.max(from, Math.min(x + inset, to - textWidth))
    const end = Math.min(to, Math.max(x + width - inset, from + textWidth))
    const toTheRight = { x: start, anchor: 'start' as const, start, end: start + textWidth }
    const toTheLeft = { x: end, anchor: 'end' as const, start: end - textWidth, end }
    const wanted = x - from < to - (x + width) ? [toTheRight, toTheLeft] : [toTheLeft, toTheRight]
    for (let row = 0; ; row += 1) {
      const free = wanted.find((at) =>
        taken.every((other) => other.row !== row || at.end + gap <= other.start || at.start >= other.end + gap),
      )
      if (free === undefined) continue
      taken.push({ row, start: free.start, end: free.end })
      return { x: free.x, anchor: free.anchor, row }
    }
  })
}
