import type { HourOfToday, TodaySoFar } from '../../../src/contract/today.ts'
import { now, shop, today } from './usual.ts'

/** Midnight Pacific time. */
const midnight = Date.parse(`${today}T07:00:00.000Z`)
const at = (hour: number): string => new Date(midnight + hour * 3_600_000).toISOString()

/** A day until noon, of which Google has finished ten hours: those from 02:00 on have a tenth of the usual 80 clicks. */
export function todayOf(change: Partial<TodaySoFar> = {}): TodaySoFar {
  const counts = (clicks: number) => ({ clicks, impressions: clicks * 10 })
  const hours = Array.from({ length: 12 }, (_, hour): HourOfToday => {
    const clicks = hour < 2 ? 80 : 8
    return { at: at(hour), hour, incomplete: hour >= 10, ...counts(clicks), yesterday: counts(80), usual: counts(80) }
  })
  const sum = (some: readonly HourOfToday[]) => some.reduce((all, { clicks }) => all + clicks, 0)
  return {
    property: shop,
    date: today,
    preliminary: true,
    hours,
    ...counts(sum(hours)),
    through: at(12),
    complete: { ...counts(sum(hours.slice(0, 10))), through: at(10), yesterday: counts(800), usual: { ...counts(800), weeks: 4 } },
    syncedAt: new Date(now.getTime() - 600_000).toISOString(),
    ...change,
  }
}
