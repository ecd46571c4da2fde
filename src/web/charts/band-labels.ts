export type LabelledBand = { x: number; width: number; textWidth: number }
export type PlacedLabel = { x: number; row: number }

const gap = 8
/** Labels of bands that touch must not. */
const inset = gap / 2

/**
 * Where the labels of bands begin, within `from` and `to`, and in which row: 0 is the one next to the chart. A label
 * stands above its band and reaches to where there is more room; those that would touch stand in different rows.
 */
export function placeBandLabels(bands: readonly LabelledBand[], from: number, to: number): PlacedLabel[] {
  const taken: { row: number; x: number; end: number }[] = []
  return bands.map(({ x, width, textWidth }) => {
    const isLeft = x - from < to - (x + width)
    const wanted = (isLeft ? [x + inset, x + width - textWidth - inset] : [x + width - textWidth - inset, x + inset]).map((at) =>
      Math.max(from, Math.min(at, to - textWidth)),
    )
    for (let row = 0; ; row += 1) {
      const free = wanted.find((at) =>
        taken.every((other) => other.row !== row || at + textWidth + gap <= other.x || at >= other.end + gap),
      )
      if (free === undefined) continue
      taken.push({ row, x: free, end: free + textWidth })
      return { x: free, row }
    }
  })
}
