import { addDays } from '../../../core/analytics/days.ts'
import { pacificHour, pacificHours } from '../../../core/analytics/pacific-hours.ts'
import { whyIncomparable } from '../../../core/analytics/anomalies.ts'
import type { TodaySoFar } from '../../../contract/today.ts'
import type { HourBar } from '../../charts/HoursChart.tsx'

export type TodayMetric = 'clicks' | 'impressions'

const pacific = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/Los_Angeles', hour: '2-digit', minute: '2-digit' })

/** `14:00` on Google's clock, California time; the end of a day is `24:00`. */
export function pacificTime(at: string): string {
  const time = pacific.format(new Date(at))
  return time === '00:00' ? '24:00' : time
}

export type TodayFigure = {
  value: number
  usual: number | null
  change: number | null
  /** Why there is no change, if the days were counted differently. */
  incomparable: string | null
}

/** A figure over the hours Google has finished, next to the usual one by then. */
export function figureOfToday({ date, complete }: TodaySoFar, metric: TodayMetric): TodayFigure | null {
  if (!complete) return null
  const value = complete[metric]
  const usual = complete.usual?.[metric] ?? null
  const weeks = { start: addDays(date, -7 * (complete.usual?.weeks ?? 1)), end: addDays(date, -7) }
  const incomparable = usual === null ? null : whyIncomparable(metric, { start: date, end: date }, weeks)
  const isCompared = usual !== null && usual !== 0 && incomparable === null
  return { value, usual, change: isCompared ? ((value - usual) / usual) * 100 : null, incomparable }
}

/** All hours of the day: future ones have no figure yet, but a usual value like the others. */
export function barsOfToday({ date, hours }: TodaySoFar, metric: TodayMetric): HourBar[] {
  const known = hours.map(({ hour, incomplete, usual, ...counts }) => ({
    hour,
    value: counts[metric],
    usual: usual?.[metric] ?? null,
    incomplete,
  }))
  const last = hours.at(-1)?.at
  const toCome = pacificHours(date)
    .filter((at) => last === undefined || at > new Date(last))
    .map((at) => ({ hour: pacificHour(at), value: null, usual: null }))
  return [...known, ...toCome]
}

const hourMs = 3_600_000

/** When Google is asked next; right away if that is past. */
export const nextLook = ({ syncedAt }: TodaySoFar, now: Date): Date => new Date(Math.max(Date.parse(syncedAt) + hourMs, now.getTime()))
