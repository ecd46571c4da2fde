import type { IsoDate } from '../../contract/common.ts'
import { addDays, pacificDay } from './days.ts'

const hourMs = 3_600_000

const clock = new Intl.DateTimeFormat('en-US', { timeZone: 'America/Los_Angeles', hour: 'numeric', hourCycle: 'h23' })

/** The Pacific clock hour when an hour begins: 0 to 23. */
export const pacificHour = (at: Date): number => Number(clock.format(at))

/** The hours of a Pacific day as the instants they begin: 24, or 23 and 25 when the clocks change. */
export function pacificHours(date: IsoDate): Date[] {
  // Midnight Pacific time is between these two, in daylight saving time or not.
  const from = Date.parse(`${date}T06:00:00Z`)
  const until = Date.parse(`${addDays(date, 1)}T09:00:00Z`)
  const hours: Date[] = []
  for (let at = from; at <= until; at += hourMs) if (pacificDay(new Date(at)) === date) hours.push(new Date(at))
  return hours
}
