import { addDays, dayNumber, daysBetween, fromDayNumber } from '../../analytics/days.ts'
import type { Direction } from '../../detection/expectation.ts'
import { smallestChange } from '../../detection/scan.ts'
import type { Prepared } from '../../detection/series.ts'
import { smallestOfSmall } from '../../detection/small-counts.ts'
import { type Deviation, isSmallAt } from '../../detection/smart.ts'
import type { Finding } from '../evaluate.ts'
import type { Verdict } from '../lifecycle.ts'
import { type Earlier, returnDays } from '../muting.ts'
import type { Rule } from '../rule.ts'
import { comparedIn, daysOf, halfwayFrom, hasHoliday, knownIn, ordinaryOf, shareOf, type Usual, usualBefore } from './before-alert.ts'
import { deviationBefore, lastingHalfway, latelyOf, normal } from './lately.ts'
import { directionOfChange, type LastingUnusual, verdictOf } from './verdict.ts'

// What a rule about a whole site says on an evening, given what it reported before. Detection compares with the days before each window,
// whatever they were; only the alerts show that some of those days were a drop, or a rise, that is over.

/** An alert of the rule that ended because the site was back, or at a new level. */
export type EndedUnusual = Pick<Earlier, 'opening' | 'end' | 'level'>

type Opening = NonNullable<LastingUnusual['opening']>
/** A day below this share of what was expected before a rise is more than the end of that rise. */
const gone = 0.8
/** How many weeks before a rise to look for a higher level than right before it, and the share of it that is clearly less. */
const earlierWeeks = [4, 8, 12]
const clearlyLess = 0.75
/** How many days make a level. */
const week = 7

/**
 * When a drop is over: after this many days in a row, each at least at this share of what was expected before it, and together above its
 * low days by this many standard deviations of the site's days before it.
 */
const back = { days: 3, each: 0.9, deviations: 3 }
/** The share of a window's expected count that the days since an alert may lack or exceed without being a new change. */
const mostLeft: Record<Direction, number> = { fall: 0.06, rise: 0.08 }

type Evening = {
  series: Prepared
  /** The index of the evaluated day. */
  day: number
  deviations: Record<Direction, Deviation | null>
  open: LastingUnusual | null
  ended: readonly EndedUnusual[]
}

/** Null if the evening decides nothing: the open alert stays as it is. */
export function evaluateEvening(rule: Rule, name: string, { series, day, deviations, open, ended }: Evening): Verdict | null {
  const through = fromDayNumber(series.first + day)
  const verdict = verdictOf(rule, { kind: 'site', name }, deviations, through, open)
  const { finding } = verdict
  const isKnown = (found: Finding): boolean =>
    ended.some((each) => [isReturn, isLeftOver, isSameRise].some((is) => is(rule, series, each, found)))
  if (open === null) return finding && isKnown(finding) ? { ...verdict, finding: null } : verdict
  const { opening, direction } = open
  if (!opening || (finding && !isDipOver(series, day, opening, direction))) return verdict
  // Found on this very day, before Google revised it.
  if (!finding && opening.windows.current.end === through) return verdict
  if (!finding && isRevised(series, opening, open)) return { ...verdict, isRevised: true }
  const lately = latelyOf(series, day + 1, opening, direction)
  if (finding) return lately ? { ...verdict, finding: null, lately: { ...lately, isBack: true } } : verdict
  const drop = direction === 'rise' && verdictOf(rule, verdict.entity, { ...deviations, rise: null }, through, null)
  if (drop && drop.finding && isNewDrop(rule, series, opening, drop.finding) && !isKnown(drop.finding)) return { ...drop, turns: true }
  if (lately && !lately.isBack && (!lately.isClear || isComingBack(series, day, opening, direction))) return null
  return { ...verdict, lately }
}

/**
 * Whether the days that an alert was opened with weren't ordinary then and are by now, since one of them was late; and so were those since,
 * as long as it was found: what began as late data may have gone on as a drop.
 */
function isRevised(series: Prepared, opening: Opening, { direction, last }: LastingUnusual): boolean {
  const { current, windows, days: count = daysBetween(windows.current.start, windows.current.end) } = opening
  const known = knownIn(series, windows.current)
  const days = known.length === count ? known : ordinaryOf(series, known)
  const usual = hasHoliday(series, days) ? null : usualBefore(series, direction, opening)
  if (!usual || days.length === 0 || current === null) return false
  const isOrdinary = (share: number): boolean => (direction === 'fall' ? share >= normal.fall : share <= normal.rise)
  const expected = days.reduce((sum, i) => sum + usual(i), 0)
  if (isOrdinary(current / expected) || !isOrdinary(shareOf(series, usual, days))) return false
  const { end } = windows.current
  const since = last === undefined || last <= end ? [] : comparedIn(series, { start: addDays(end, 1), end: last })
  return since.length === 0 || isOrdinary(shareOf(series, usual, since))
}

/**
 * Whether a drop that is open is over, though longer windows still show it: the last three days are all back, and above the low days by far
 * more than the site varies.
 */
function isDipOver(series: Prepared, day: number, opening: Opening, direction: Direction): boolean {
  const start = dayNumber(opening.windows.current.start) - series.first
  const usual = direction === 'fall' && !isSmallAt(series, day) && usualBefore(series, direction, opening)
  const latest = daysOf(day + 1 - back.days, day + 1)
  if (!usual || start < 0 || latest.some((i) => series.ordinary[i] !== 1)) return false
  const share = (days: readonly number[]): number => shareOf(series, usual, days)
  const since = daysOf(start, day + 1 - back.days).filter((i) => series.known[i] === 1)
  const deepest = Math.min(...since.map((i) => share([i])))
  const low = since.slice(since.findIndex((i) => share([i]) < halfwayFrom(deepest)))
  if (!(deepest < 1) || low.length === 0) return false
  const least = Math.max(halfwayFrom(share(low)), back.each)
  if (latest.some((i) => share([i]) < least) || share(latest) < normal.fall) return false
  return share(latest) - share(low) >= (back.deviations * deviationBefore(series, usual, opening)) / Math.sqrt(back.days)
}

/**
 * Whether a finding only shows days of an ended alert in the same direction that are still in its window: on the days since, too little is
 * missing to report or, for a rise, the surplus is too small.
 */
function isLeftOver(rule: Rule, series: Prepared, alert: EndedUnusual, { change, windows }: Finding): boolean {
  const { opening, end } = alert
  const direction = directionOfChange(rule.metric, change ?? 0)
  if (end === null || end < windows.current.start || directionOfChange(rule.metric, opening.change ?? 0) !== direction) return false
  const usual = usualSince(series, direction, alert)
  const days = comparedIn(series, windows.current)
  if (!usual || days.length === 0) return false
  // Low days right after `end`, the last evening that found it, belong to the same change: no evening evaluated them.
  const after = days.filter((i) => i > dayNumber(end) - series.first)
  const first = after.findIndex((i) => {
    const share = shareOf(series, usual, [i])
    return direction === 'fall' ? share >= back.each : share <= 2 - back.each
  })
  const since = first < 0 ? after : after.slice(first)
  const moved = since.reduce((sum, i) => sum + (series.counts[i] as number) - usual(i), 0)
  const expected = days.reduce((sum, i) => sum + usual(i), 0)
  return (direction === 'fall' ? -moved : moved) < mostLeft[direction] * expected
}

/**
 * Whether a finding is a rise that only seemed to be over because of a drop that was withdrawn: the site hasn't been halfway back on any
 * three days since, and the rise isn't enough larger than it was to report.
 */
function isSameRise(rule: Rule, series: Prepared, { opening, end, level }: EndedUnusual, { change, windows }: Finding): boolean {
  const isRise = [opening, { change }].every((each) => directionOfChange(rule.metric, each.change ?? 0) === 'rise')
  if (!isRise || level || end === null || addDays(end, returnDays) <= windows.current.end) return false
  const usual = usualBefore(series, 'rise', opening)
  const days = comparedIn(series, windows.current)
  const [from, to] = [dayNumber(opening.windows.current.end) - series.first, dayNumber(end) - series.first]
  const last = dayNumber(windows.current.end) - series.first
  const [was, since] = [daysOf(from, to + 1), daysOf(to + 1, last + 1)].map((some) => some.filter((i) => series.ordinary[i] === 1))
  if (!usual || !was?.length || !since?.length) return false
  const halfway = halfwayFrom(shareOf(series, usual, was))
  const threes = since.length < back.days ? [since] : since.slice(back.days - 1).map((_, i) => since.slice(i, i + back.days))
  if (threes.some((some) => shareOf(series, usual, some) < halfway)) return false
  return !isChange(rule, series, last, 'rise', shareOf(series, usual, days) / shareOf(series, usual, was))
}

/** Whether a drop is more than the end of an open rise: by its window, as seen from before the rise, or by its last day. */
function isNewDrop(rule: Rule, series: Prepared, opening: Opening, { windows }: Finding): boolean {
  const days = comparedIn(series, windows.current)
  const usual = usualBefore(series, 'rise', opening)
  return !isMerelyBack(rule, series, opening, 'fall', days) || (usual !== null && shareOf(series, usual, days.slice(-1)) <= gone)
}

/**
 * Whether the last day by itself is back to what was expected before the alert, at least halfway. Once some such days show it, the alert
 * has recovered; until then, its week says that it has settled, at a level in between that the site never had.
 */
function isComingBack(series: Prepared, evening: number, opening: Opening, direction: Direction): boolean {
  const usual = usualBefore(series, direction, opening)
  if (!usual || !opening.previous || opening.current === null) return false
  const halfway = lastingHalfway(series, usual, evening + 1, opening) ?? halfwayFrom(opening.current / opening.previous)
  const isHalfway = (i: number): boolean => {
    const share = shareOf(series, usual, [i])
    return direction === 'fall' ? share >= halfway : share <= halfway
  }
  const latest = daysOf(Math.max(0, evening + 1 - week), evening + 1)
  const day = latest.findLast((i) => series.ordinary[i] === 1) ?? evening
  if (series.known[day] !== 1 || !isHalfway(day)) return false
  // A week of such days that isn't back is a level of its own.
  if (latest.filter((i) => series.known[i] === 1).every(isHalfway)) return false
  return direction === 'fall' || (shareOf(series, usual, [day]) > gone && !isBelowEarlier(series, opening, [day]))
}

/**
 * Whether a finding is merely the way back from an alert in the other direction: as seen from before that alert, it isn't a change to
 * report. After one that settled, it is merely the level that people were notified of.
 */
function isReturn(rule: Rule, series: Prepared, alert: EndedUnusual, { change, windows }: Finding): boolean {
  const { opening, end, level } = alert
  const direction = directionOfChange(rule.metric, change ?? 0)
  const before = directionOfChange(rule.metric, opening.change ?? 0)
  if (end === null || addDays(end, returnDays) <= windows.current.end) return false
  const days = comparedIn(series, windows.current)
  if (level) {
    const usual = usualSince(series, before, alert)
    if (!usual || isChangeSince(rule, series, dayNumber(end) - series.first, { usual, direction, days })) return false
    return !isChange(rule, series, days.at(-1) ?? 0, direction, shareOf(series, usual, days))
  }
  if (before === direction) return false
  const usual = direction === 'fall' ? usualBefore(series, 'rise', opening) : null
  if (usual && isChangeSince(rule, series, dayNumber(end) - series.first, { usual, direction, days })) return false
  return isMerelyBack(rule, series, opening, direction, days)
}

type Some = { usual: Usual; direction: Direction; days: readonly number[] }

/** Whether some days are a change to report from the level that a site has held since an alert ended. */
function isChangeSince(rule: Rule, series: Prepared, end: number, { usual, direction, days }: Some): boolean {
  // Only the last week: the site may have grown since, or lost some of it.
  const held = daysOf(end + 1, days[0] ?? 0)
    .filter((i) => series.ordinary[i] === 1)
    .slice(-week)
  if (held.length < week) return false
  return isChange(rule, series, days.at(-1) ?? 0, direction, shareOf(series, usual, days) / shareOf(series, usual, held))
}

/** What was expected before an alert, at the level that it settled at, if it did. */
function usualSince(series: Prepared, direction: Direction, { opening, level }: EndedUnusual): Usual | null {
  const usual = usualBefore(series, direction, opening)
  if (!usual || !level?.before) return usual
  const share = (level.value ?? 0) / level.before
  return (i) => share * usual(i)
}

/** Whether some days show no change to report in this direction, as seen from before an alert in the other one. */
function isMerelyBack(rule: Rule, series: Prepared, opening: Opening, direction: Direction, days: readonly number[]): boolean {
  const usual = usualBefore(series, direction === 'fall' ? 'rise' : 'fall', opening)
  const share = usual && shareOf(series, usual, days)
  if (share === null || !Number.isFinite(share) || (direction === 'fall' && isBelowEarlier(series, opening, days))) return false
  return !isChange(rule, series, days.at(-1) ?? 0, direction, share)
}

/**
 * Whether a site has clearly less than it had some weeks before a rise. If so, the rise was the return from a lasting drop, and its end is
 * another drop.
 */
function isBelowEarlier(series: Prepared, { windows }: Opening, days: readonly number[]): boolean {
  const { start, end } = windows.current
  return earlierWeeks.some((weeks) => {
    const current = { start: addDays(start, -7 * weeks), end: addDays(end, -7 * weeks) }
    const usual = usualBefore(series, 'fall', { windows: { ...windows, current } })
    return usual !== null && shareOf(series, usual, days) < clearlyLess
  })
}

/** Whether a share of what was expected is a change to report. */
function isChange(rule: Rule, series: Prepared, day: number, direction: Direction, share: number): boolean {
  const smallest = (isSmallAt(series, day) ? smallestOfSmall : smallestChange)[direction]
  return (direction === 'fall' ? 1 - share : share - 1) >= Math.max(smallest, rule.threshold / 100)
}
