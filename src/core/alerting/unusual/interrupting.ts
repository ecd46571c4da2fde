import { dayNumber, eachDay } from '../../analytics/days.ts'
import { holidaysOf } from '../../detection/holidays.ts'
import { median } from '../../detection/robust.ts'
import { figureOf, type Sums } from '../figures.ts'
import type { AlertMetric, Window } from '../rule.ts'

/** What is left of the usual in a critical fall, and the weeks whose median is the usual. */
const left = 0.7
const usualWeeks = 8
/** Deviations by which a count has to lie below that, so that chance alone takes one of ten there. */
const deviations = 1.28

/** Days at the turn of the year in a week from which on it is no week like others. */
const fewestHolidays = 2
const isTurnOfTheYear = holidaysOf(null)

/**
 * Whether a fall that passes a rule's threshold is one to wake somebody for. One week against another may fall by a third because the
 * other was a good one, or by chance: it has to be less than 70% of both the week before and the median week, by more than counts vary.
 * At the turn of the year most sites fall; the rule about what is unusual knows by how much.
 * @param before a week's figures before, and the weeks before the current one, the latest first
 */
export function interrupts(
  metric: AlertMetric,
  { current, before, weeks, week }: { current: Sums; before: Sums; weeks: readonly Sums[]; week: Window },
): boolean {
  if (metric === 'position') return true
  if (eachDay(week.start, week.end).filter((day) => isTurnOfTheYear(dayNumber(day))).length >= fewestHolidays) return false
  // A CTR is compared in the clicks that it would bring today.
  const countOf = (sums: Sums): number => (metric === 'ctr' ? (figureOf('ctr', sums) ?? 0) * current.impressions : sums[metric])
  const now = metric === 'ctr' ? current.clicks : current[metric]
  const past = weeks.slice(0, usualWeeks).map(countOf)
  const usual = left * Math.min(countOf(before), ...(past.length === 0 ? [] : [median(past)]))
  return now < usual && 2 * Math.sqrt(usual + 3 / 8) - 2 * Math.sqrt(now + 3 / 8) > deviations * Math.SQRT2
}
