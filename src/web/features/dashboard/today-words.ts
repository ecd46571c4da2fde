import type { TodaySoFar } from '../../../contract/today.ts'
import type { HourBar } from '../../charts/HoursChart.tsx'

export type TodayMetric = 'clicks' | 'impressions'

const pacific = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/Los_Angeles', hour: '2-digit', minute: '2-digit' })

/** `14:00` on Google's clock, which is California's; the end of a day is `24:00`. */
export function pacificTime(at: string): string {
  const time = pacific.format(new Date(at))
  return time === '00:00' ? '24:00' : time
}

export type TodayFigure = { value: number; usual: number | null; change: number | null }

/** A figure over the hours that Google is done with, beside what is usual by then. */
export function figureOfToday({ complete }: TodaySoFar, metric: TodayMetric): TodayFigure | null {
  if (!complete) return null
  const value = complete[metric]
  const usual = complete.usual?.[metric] ?? null
  return { value, usual, change: usual === null || usual === 0 ? null : ((value - usual) / usual) * 100 }
}

/** All hours of the day: those to come have nothing yet, and are usual as the others are. */
export function barsOfToday({ hours }: TodaySoFar, metric: TodayMetric): HourBar[] {
  const known = hours.map(({ hour, incomplete, usual, ...counts }) => ({
    hour,
    value: counts[metric],
    usual: usual?.[metric] ?? null,
    incomplete,
  }))
  const next = (known.at(-1)?.hour ?? -1) + 1
  const toCome = Array.from({ length: Math.max(0, 24 - next) }, (_, at) => ({ hour: next + at, value: null, usual: null }))
  return [...known, ...toCome]
}

const hourMs = 3_600_000

/** When Google is asked again; at once where that is past. */
export const nextLook = ({ syncedAt }: TodaySoFar, now: Date): Date => new Date(Math.max(Date.parse(syncedAt) + hourMs, now.getTime()))
