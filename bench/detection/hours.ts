import { expectedDayOf } from '../../src/core/alerting/hours/expected-day.ts'
import { type HoursOfDay, evaluateHours } from '../../src/core/alerting/hours/hourly.ts'
import { defaultOf } from '../../src/core/alerting/defaults.ts'
import { ruleOf } from '../../src/core/alerting/options.ts'
import type { Severity } from '../../src/core/alerting/severity.ts'
import { addDays } from '../../src/core/analytics/days.ts'
import type { Sensitivity } from '../../src/core/detection/calibration.ts'
import type { Site } from './generator.ts'
import { between, normal, type Random, thinned } from './random.ts'

/** How many days before today are final. */
const finalAfter = 3
/** Weeks whose hours are kept: Google has ten days of them at first. */
const weeks = 4
/** The hour of the day at which a falling part begins. */
const fallsAt = 9
const byDay = [1, 1, 1, 1, 1, 2, 3, 4, 6, 7, 7, 7, 7, 7, 6, 6, 6, 6, 6, 5, 4, 3, 2, 1]

/**
 * Splits days into hours: each hour has its own strength, and each day begins somewhat earlier or later than others.
 * @param part loses this share of its clicks from 9:00 on, on day `at`
 */
export function hoursOf({ series }: Site, random: Random, falls?: { at: number; part: number }): HoursOfDay[] {
  const unsteady = between(random, 0.1, 0.3)
  return series.counts.map((count, i) => {
    const shift = 0.7 * normal(random)
    const weights = byDay.map((_, hour) => {
      const at = Math.min(22.999, Math.max(0, hour + shift))
      const [low, rest] = [Math.floor(at), at % 1]
      return ((byDay[low] ?? 1) * (1 - rest) + (byDay[low + 1] ?? 1) * rest) * Math.exp(unsteady * normal(random))
    })
    let left = count ?? 0
    let weight = weights.reduce((sum, each) => sum + each, 0)
    const hours = weights.map((each, hour) => {
      const all = hour === 23 ? left : thinned(random, left, Math.min(1, each / weight))
      left -= all
      weight -= each
      const clicks = falls?.at === i && hour >= fallsAt ? thinned(random, all, 1 - falls.part) : all
      return { hour, clicks, impressions: clicks * 10 }
    })
    return { date: addDays(series.start, i), hours }
  })
}

/** The hour after which the smart rule opens an alert about a day, checking after each of its hours, and its severity; null if it opens none. */
function foundOn(
  { series, isHoliday }: Site,
  hours: readonly HoursOfDay[],
  day: number,
  sensitivity: Sensitivity,
): { hour: number; severity: Severity } | null {
  const rule = { ...ruleOf('hours', defaultOf('clicks', 'unusual')), sensitivity }
  const today = hours[day]
  if (!today) return null
  const expected = expectedDayOf({ counts: { ...series, counts: series.counts.slice(0, day + 1 - finalAfter) }, isHoliday }, today.date)
  const before = Array.from({ length: weeks }, (_, week) => hours[day - 7 * (week + 1)]).flatMap((each) => each ?? [])
  for (let hour = 4; hour <= 24; hour++) {
    const verdict = evaluateHours(rule, { ...today, hours: today.hours.slice(0, hour) }, before, expected)
    if (verdict?.severity) return { hour, severity: verdict.severity }
  }
  return null
}

/** Days of a site where nothing happens on which hours open an alert, from index `from` on. */
export function hourlyAlarmsOf(site: Site, random: Random, from: number, sensitivity: Sensitivity = 'normal') {
  const hours = hoursOf(site, random)
  const found = { years: (site.series.counts.length - from) / 365.25, falls: 0, rises: 0, criticals: 0 }
  for (let day = from; day < hours.length; day++) {
    const severity = foundOn(site, hours, day, sensitivity)?.severity
    // A rise on a day with a spike is genuine.
    if (severity === 'positive') found.rises += site.spikes.some((spike) => day >= spike && day < spike + 16) ? 0 : 1
    else if (severity) found.falls += 1
    if (severity === 'critical') found.criticals += 1
  }
  return found
}

/** Whether a day that loses a part of its clicks from nine in the morning on is found before it is over. */
export function afternoonFound(site: Site, random: Random, at: number, part: number): boolean {
  return foundOn(site, hoursOf(site, random, { at, part }), at, 'normal') !== null
}
