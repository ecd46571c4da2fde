import { parseDay } from '../dates.ts'
import type { DayRows } from './day.ts'
import { mix, unit } from './random.ts'

/**
 * Google over-counted impressions in web search until 2026-04-27. From 2026-04-28 on, there are fewer unclicked impressions and positions
 * are better, while clicks are counted as before: nothing happened to the sites. Real dates, whatever the stand-in's current day.
 */
export const measurementStep = { from: '2026-04-28', impressions: 0.7, position: 0.85 } as const

const firstDay = parseDay(measurementStep.from) ?? Number.POSITIVE_INFINITY

/** A generated day of web search as Google counts it; changes the rows in place, which belong to the caller. */
export function asCounted(rows: DayRows, day: number): DayRows {
  if (day < firstDay) return rows
  let n = 0
  for (let i = 0; i < rows.count; i++) {
    const seed = rows.seed[i] ?? 0
    const clicks = rows.clicks[i] ?? 0
    const [seenBefore, repeatsBefore] = [rows.seen[i] ?? 0, rows.repeats[i] ?? 0]
    const seen = Math.floor(seenBefore * measurementStep.impressions + unit(mix(seed, 21)))
    const repeats = Math.floor(repeatsBefore * measurementStep.impressions + unit(mix(seed, 22)))
    if (clicks + seen + repeats === 0) continue
    rows.page[n] = rows.page[i] ?? 0
    rows.query[n] = rows.query[i] ?? -1
    rows.clicks[n] = clicks
    rows.seen[n] = seen
    rows.repeats[n] = repeats
    rows.positions[n] = better(rows.positions[i] ?? 0, clicks + seenBefore, clicks + seen)
    rows.repeatPositions[n] = better(rows.repeatPositions[i] ?? 0, repeatsBefore, repeats)
    rows.seed[n] = seed
    n += 1
  }
  rows.count = n
  return rows
}

/** Positions count from 1, so that the first stays the first. */
function better(sum: number, before: number, after: number): number {
  if (before === 0) return 0
  return Math.round(after * (1 + (sum / before - 1) * measurementStep.position))
}
