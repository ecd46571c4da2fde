import { lowerTail } from './chance.ts'
import type { Direction } from './expectation.ts'
import { backShare, goneShare } from './outages.ts'
import { quantile } from './robust.ts'
import type { Prepared } from './series.ts'
import { yearDays } from './year-ago.ts'

/** How many days before the evaluated window are looked at; by weeks, so that quiet weekends don't count. */
const pastDays = 365
const week = 7
/**
 * At least this share of the weeks is almost without visitors, in this many stretches; or there are many of them. An outage is one stretch,
 * and so is the time before a site grew.
 */
const fewest = { share: 1 / 4, stretches: 2 }
const many = 4
/** A level that has held this many times as long as any burst, and this many days more, is no burst. */
const held = { times: 2, days: 14 }
/** Nor is one that held on all days this near to the same day last year: that is a season. If it ended then, it may end again now. */
const season = 21
/** What is left is below what bursts leave behind if it is below this share of their lowest weeks, and not by chance. */
const below = { quantile: 0.1, share: 1 / 2, probability: 0.001, varies: 0.05 }

type Found = { direction: Direction; length: number; actual: number; expected: number; days: number }

/**
 * Whether a site goes up to about this level and down to almost nothing again and again by itself: one that Google shows in bursts, with
 * days or weeks of next to nothing in between, has no usual level to fall from, and another burst like earlier ones is nothing new. A fall
 * counts after all if the level held for longer than bursts do or is that of a season, or if less is left than between bursts, or for
 * longer.
 * @param end index of the evaluated window's last day
 */
export function isBetweenBursts(series: Prepared, end: number, found: Found): boolean {
  const { direction, actual, days } = found
  const { level, lows, isIn, hasHeld, isGone } = burstsBefore(series, end, found)
  if (!isIn || direction === 'rise') return isIn
  return !(lastYear() ?? hasHeld) && !isGone && !isBelowLows()

  /** Whether the level held around the same day last year; false if it ended or began, null if that isn't known or it was something else. */
  function lastYear(): boolean | null {
    const at = end - yearDays
    const first = at - season - week + 1
    const means = first < 0 ? [] : weeklyMeans(series, first, at + season)
    const isHigh = (mean: number): boolean => mean >= backShare * level
    if (!means.some(isHigh)) return null
    return means.every((mean) => isHigh(mean) && mean <= level / backShare)
  }

  function isBelowLows(): boolean {
    const least = days * quantile(lows, below.quantile)
    return actual < below.share * least && lowerTail(actual, { mean: least, overdispersion: below.varies }) < below.probability
  }
}

/**
 * The past at the level of a window: whether it went up to that and down again and again, whether it had held for longer than it did in
 * between, whether it is now gone for longer than ever, and the weeks of next to nothing.
 */
export function burstsBefore(series: Prepared, end: number, { length, actual, expected, days }: Omit<Found, 'direction'>) {
  const level = Math.max(actual, expected) / days
  const last = end - length
  const from = Math.max(0, last - pastDays + 1)
  let [weeks, low, stretches, isLow, run, longest, gone, longestGone] = [0, 0, 0, false, 0, 0, 0, 0]
  const lows: number[] = []
  for (const mean of weeklyMeans(series, from, last)) {
    weeks += 1
    const share = mean / level
    if (share < goneShare) {
      if (!isLow) [stretches, longest, run] = [stretches + 1, Math.max(longest, run), 0]
      isLow = true
      lows.push(mean)
    } else if (share >= backShare && isLow) [isLow, longestGone, gone] = [false, Math.max(longestGone, gone), 0]
    if (isLow) [low, gone] = [low + 1, gone + 1]
    else run += 1
  }
  return {
    level,
    lows,
    isIn: stretches >= many || (stretches >= fewest.stretches && low >= fewest.share * weeks),
    hasHeld: !isLow && run > held.times * longest + held.days,
    isGone: actual < goneShare * days * level && gone + length > held.times * longestGone,
  }
}

/** How far before and after a fall its earlier level is looked for, and the share of that at which a week is back. */
const near = { days: 28, back: 0.85 }

/** Whether a fall that was found on the days from `first` through `last`, as indexes, is over by the day with index `end`. */
export function isFallOver(series: Prepared, { first, last }: { first: number; last: number }, end: number): boolean {
  const before = Math.max(0, ...weeklyMeans(series, Math.max(0, first - near.days), first - 1))
  return weeklyMeans(series, Math.max(0, first), Math.min(end, last + near.days)).some((mean) => mean >= near.back * before)
}

/** Means of each seven known days in a row, from index `from` through `last`. */
function weeklyMeans({ counts, known }: Prepared, from: number, last: number): number[] {
  const means: number[] = []
  let [sum, seen] = [0, 0]
  for (let i = from; i <= last; i++) {
    sum += counts[i] as number
    seen += known[i] as number
    const left = i - week
    if (left >= from) {
      sum -= counts[left] as number
      seen -= known[left] as number
    }
    if (seen === week) means.push(sum / week)
  }
  return means
}
