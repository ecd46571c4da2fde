import type { AlertHours } from '../../../contract/alerts/alerts.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { gainOf } from '../figures.ts'
import type { HourlyMetric } from './hourly.ts'
import { changeText, daysOf, figure, nouns } from '../words.ts'

type Compared = { current: number | null; previous: number | null; change: number | null }

/** What is told about an alert that hours opened. */
export type ToldByHours = Compared & { metric: HourlyMetric; hours: AlertHours; final: Compared | null }

/** One line; plain text. */
export function hourlyTitleOf({ metric, change, hours }: ToldByHours): string {
  const what = `${nouns[metric]} ${gainOf(metric, change ?? 0) < 0 ? 'dropped' : 'spiked'} across the site`
  switch (hours.status) {
    case 'preliminary':
      return `${what} ${soFar(hours)}, preliminary`
    case 'withdrawn':
      return `${what} ${soFar(hours)}`
    case 'confirmed':
      return `${what} on ${shortDay(hours.day)}`
  }
}

/** What changed, from what to what, by when, and what the final day says of it. */
export function hourlySentenceOf({ metric, hours, final, ...figures }: ToldByHours): string {
  const verb = gainOf(metric, figures.change ?? 0) < 0 ? 'fell' : 'rose'
  const moved = `${nouns[metric]} ${verb} from the usual ${figure(metric, figures.previous)} to ${figure(metric, figures.current)} (${changeText(metric, figures.change)})`
  const against = `the ${weekdaysBefore(hours)}`
  switch (hours.status) {
    case 'preliminary':
      return `${moved} ${soFar(hours, weekday(hours.day))}, compared with the same hours of ${against}. This is preliminary: final data, two or three days later, will confirm or withdraw it.`
    case 'withdrawn':
      return `${moved} ${soFar(hours, weekday(hours.day))}. ${final === null ? 'The' : `${finalDay(metric, hours.day, final)}, so the`} alert was withdrawn.`
    case 'confirmed':
      return `${moved} on ${weekday(hours.day)}, ${shortDay(hours.day)}, compared with ${against}. First seen in hourly data at ${clockOf(hours)} Pacific, then confirmed by final data.`
  }
}

/** What the two figures are of, briefly; null for figures that are not of one day, as those the days have taken over. */
export function comparedHours(hours: AlertHours | undefined, current: { start: IsoDate; end: IsoDate } | null) {
  if (hours === undefined || current === null || current.start !== current.end) return null
  const days = weekdaysBefore(hours)
  if (hours.status === 'confirmed') return { usual: days, now: shortDay(hours.day) }
  return {
    usual: `same hours, ${days}`,
    now: hours.through === 24 ? shortDay(hours.day) : `${shortDay(hours.day)} through ${clockOf(hours)} Pacific`,
  }
}

/** Why a timeline has an entry about the final day, with its figures: `Final data for Wednesday, 18 Mar: 905 clicks vs the usual 930 (−2.7%)`. */
export const finalDay = (metric: HourlyMetric, day: IsoDate, { current, previous, change }: Compared): string =>
  `Final data for ${weekday(day)}, ${shortDay(day)}: ${figure(metric, current)} ${metric} vs the usual ${figure(metric, previous)} (${changeText(metric, change)})`

/** `previous Wednesday`, `previous 4 Wednesdays`. */
const weekdaysBefore = ({ day, weeks }: AlertHours): string =>
  weeks === 1 ? `previous ${weekday(day)}` : `previous ${weeks} ${weekday(day)}s`

/** `so far on 18 Mar (through 14:00 Pacific)`; a day that was counted to its end is not `so far`. */
const soFar = (hours: AlertHours, name?: string): string => {
  const day = `${name === undefined ? '' : `${name}, `}${shortDay(hours.day)}`
  return hours.through === 24 ? `on ${day} (all hours)` : `so far on ${day} (through ${clockOf(hours)} Pacific)`
}

const clockOf = ({ through }: AlertHours): string => `${String(through).padStart(2, '0')}:00`

/** `18 Mar` */
const shortDay = (day: IsoDate): string => daysOf({ start: day, end: day }).replace(/^.*–/, '')

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const weekday = (day: IsoDate): string => weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? ''
