/** A matrix's dark fields as one SVG path, with fields one unit wide: a stroke to the right for each run in a row. */
export function matrixPath(rows: readonly (readonly boolean[])[]): string {
  return rows.flatMap((row, y) => runs(row).map(({ start, length }) => `M${start} ${y}h${length}v1h-${length}z`)).join('')
}

function runs(row: readonly boolean[]): { start: number; length: number }[] {
  const found: { start: number; length: number }[] = []
  for (const [x, dark] of row.entries()) {
    const last = found.at(-1)
    if (!dark) continue
    if (last !== undefined && last.start + last.length === x) last.length += 1
    else found.push({ start: x, length: 1 })
  }
  return found
}
