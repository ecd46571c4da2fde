import { backShare, goneShare } from './outages.ts'
import type { Prepared } from './series.ts'

/** Looked at before the evaluated window, and by weeks, so that quiet weekends don't count. */
const pastDays = 365
const week = 7
/**
 * At least this share of the weeks is almost without visitors, in this many stretches; or there are many of them. An outage is one stretch,
 * and so is the time before a site grew.
 */
const fewest = { share: 1 / 4, stretches: 2 }
const many = 4

/**
 * Whether a site goes up to about this level and down to almost nothing again and again by itself: one that Google shows in bursts, with
 * days or weeks of next to nothing in between, has no usual level to fall from, and another burst like earlier ones is no news.
 * @param end index of the evaluated window's last day
 */
export function isBetweenBursts(
  { counts, known }: Prepared,
  end: number,
  { length, actual, expected, days }: { length: number; actual: number; expected: number; days: number },
): boolean {
  const level = Math.max(actual, expected) / days
  const last = end - length
  let [sum, seen, weeks, low, stretches, isLow] = [0, 0, 0, 0, 0, false]
  for (let i = Math.max(0, last - pastDays + 1); i <= last; i++) {
    sum += counts[i] as number
    seen += known[i] as number
    const left = i - week
    if (left >= Math.max(0, last - pastDays + 1)) {
      sum -= counts[left] as number
      seen -= known[left] as number
    }
    if (seen < week) continue
    weeks += 1
    const share = sum / week / level
    if (share < goneShare) {
      if (!isLow) stretches += 1
      isLow = true
    } else if (share >= backShare) isLow = false
    if (isLow) low += 1
  }
  return stretches >= many || (stretches >= fewest.stretches && low >= fewest.share * weeks)
}
