import { dayNumber, eachDay } from '../../analytics/days.ts'
import { holidaysOf } from '../../detection/holidays.ts'
import { median } from '../../detection/robust.ts'
import { figureOf, type Sums } from '../figures.ts'
import type { AlertMetric, Window } from '../rule.ts'

/** The share of the usual level below which a critical fall interrupts, and the weeks whose median is that level. */
const left = 0.7
const usualWeeks = 8
/** How many deviations a count must lie below that, so that chance alone gets there in one case of ten. */
const deviations = 1.28

/** With this many days around New Year, a week isn't comparable with others. */
const fewestHolidays = 2
const isTurnOfTheYear = holidaysOf(null)

/** Fewer lost clicks a week than this wake nobody, whatever else was lost. */
const fewestLost = 20
/** How many impressions say as much as one click. */
export const perClick = { clicks: 1, impressions: 20 }

/**
 * Whether a fall beyond a rule's threshold is worth waking somebody. A week can be a third lower than another by chance, or because the
 * other was a good one, so it must be below 70% of both the preceding week and the median week, by more than counting noise. Around
 * New Year most sites fall; the smart rule knows by how much. A fall in position, or a lost ranking, needs such a fall in clicks. Whatever
 * fell, more than a few clicks must be lost with it.
 * @param before the preceding week's sums, and the weeks before the current one, latest first
 */
export function interrupts(
  metric: AlertMetric,
  { current, before, weeks, week }: { current: Sums; before: Sums; weeks: readonly Sums[]; week: Window },
): boolean {
  // Lost positions are worth as much as the clicks that are lost with them.
  if (metric === 'position') return interrupts('clicks', { current, before, weeks, week })
  if (eachDay(week.start, week.end).filter((day) => isTurnOfTheYear(dayNumber(day))).length >= fewestHolidays) return false
  // A CTR is compared by the clicks it would bring today.
  const countOf = (sums: Sums): number => (metric === 'ctr' ? (figureOf('ctr', sums) ?? 0) * current.impressions : sums[metric])
  const now = metric === 'ctr' ? current.clicks : current[metric]
  const lost = (metric === 'ctr' ? countOf(before) : before.clicks) - current.clicks
  if (lost < fewestLost) return false
  const past = weeks.slice(0, usualWeeks).map(countOf)
  const usual = left * Math.min(countOf(before), ...(past.length === 0 ? [] : [median(past)]))
  return now < usual && 2 * Math.sqrt(usual + 3 / 8) - 2 * Math.sqrt(now + 3 / 8) > deviations * Math.SQRT2
}

/** Whether an unusual fall costs enough clicks a week to wake somebody, or impressions that are worth as many. */
export const isWorthWaking = (metric: 'clicks' | 'impressions', lostAWeek: number): boolean => lostAWeek >= fewestLost * perClick[metric]
