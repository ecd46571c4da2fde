import type { IsoDate } from '../../../contract/common.ts'
import { pacificHour, pacificHours } from '../../analytics/pacific-hours.ts'
import type { HoursOfDay } from './hourly.ts'

type Counts = { clicks: number; impressions: number }

/** A day's hours from midnight on, as far as they are known; `countsAt` returns null for an unknown or incomplete hour. */
export function hoursOfDay(date: IsoDate, countsAt: (at: Date) => Counts | null): HoursOfDay {
  const hours: HoursOfDay['hours'][number][] = []
  for (const at of pacificHours(date)) {
    const counts = countsAt(at)
    if (counts === null) break
    hours.push({ hour: pacificHour(at), clicks: counts.clicks, impressions: counts.impressions })
  }
  return { date, hours }
}
