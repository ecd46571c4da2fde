import type { Counts, DayRows } from './day.ts'
import { emptyRows } from './day.ts'
import { mix, unit } from './random.ts'

/** Days until figures are final: two, or three for about a third of days. Always the same for the same property and day. */
export function finalLag(propertySeed: number, today: number): number {
  return unit(mix(propertySeed ^ 0x51a7, today)) < 0.35 ? 3 : 2
}

/**
 * The part of a day that has been counted, or a day with busier hours. Each row rounds by its own fixed draw, so a larger share never
 * removes anything.
 */
export function partOf(full: DayRows, share: number): DayRows {
  return scaleRows(full, share, { clicks: full.clicks, seen: full.seen, repeats: full.repeats })
}

/** Every count times a factor, rounded by the row's own draw; rows that become empty vanish. Those that stay keep `whole`. */
export function scaleRows(full: DayRows, factor: number, whole?: Counts): DayRows {
  const rows: DayRows = {
    ...emptyRows(full.count),
    ...(full.cell && { cell: new Int32Array(full.count) }),
    ...(whole && { whole: { clicks: new Int32Array(full.count), seen: new Int32Array(full.count), repeats: new Int32Array(full.count) } }),
  }
  let n = 0
  for (let i = 0; i < full.count; i++) {
    const seed = full.seed[i] ?? 0
    const fullClicks = full.clicks[i] ?? 0
    const fullSeen = full.seen[i] ?? 0
    const fullRepeats = full.repeats[i] ?? 0
    const clicks = Math.floor(fullClicks * factor + unit(mix(seed, 11)))
    const seen = Math.floor(fullSeen * factor + unit(mix(seed, 12)))
    const repeats = Math.floor(fullRepeats * factor + unit(mix(seed, 13)))
    if (clicks + seen + repeats === 0) continue
    rows.page[n] = full.page[i] ?? 0
    rows.query[n] = full.query[i] ?? -1
    rows.clicks[n] = clicks
    rows.seen[n] = seen
    rows.repeats[n] = repeats
    rows.positions[n] = rescale(full.positions[i] ?? 0, fullClicks + fullSeen, clicks + seen)
    rows.repeatPositions[n] = rescale(full.repeatPositions[i] ?? 0, fullRepeats, repeats)
    rows.seed[n] = seed
    if (rows.cell && full.cell) rows.cell[n] = full.cell[i] ?? -1
    if (rows.whole && whole) for (const kind of ['clicks', 'seen', 'repeats'] as const) rows.whole[kind][n] = whole[kind][i] ?? 0
    n += 1
  }
  rows.count = n
  return rows
}

function rescale(sum: number, before: number, after: number): number {
  return before === 0 ? 0 : Math.round((sum * after) / before)
}

/** Only the `keep` rows with the most clicks: a day that shrank. */
export function topRows(full: DayRows, keep: number): DayRows {
  const order = Array.from({ length: full.count }, (_, i) => i)
  order.sort((a, b) => (full.clicks[b] ?? 0) - (full.clicks[a] ?? 0) || a - b)
  const rows: DayRows = full.cell ? { ...emptyRows(keep), cell: new Int32Array(keep) } : emptyRows(keep)
  rows.count = Math.min(keep, full.count)
  for (let n = 0; n < rows.count; n++) {
    const i = order[n] ?? 0
    rows.page[n] = full.page[i] ?? 0
    rows.query[n] = full.query[i] ?? -1
    rows.clicks[n] = full.clicks[i] ?? 0
    rows.seen[n] = full.seen[i] ?? 0
    rows.repeats[n] = full.repeats[i] ?? 0
    rows.positions[n] = full.positions[i] ?? 0
    rows.repeatPositions[n] = full.repeatPositions[i] ?? 0
    rows.seed[n] = full.seed[i] ?? 0
    if (rows.cell && full.cell) rows.cell[n] = full.cell[i] ?? -1
  }
  return rows
}
