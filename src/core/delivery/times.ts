import { Temporal } from 'temporal-polyfill'
import type { DeliverySettings } from '../../contract/delivery.ts'

type DigestTimes = Pick<DeliverySettings, 'timeZone' | 'digestHour' | 'digestWeekday' | 'frequency'>

/**
 * When the next digest is due, strictly after `after`. An hour that the clock skips that day is the one after it, one
 * that comes twice the first of them.
 */
export function nextDigest({ timeZone, digestHour, digestWeekday, frequency }: DigestTimes, after: Date): Date {
  const local = localTime(after, timeZone)
  for (let days = 0; ; days += 1) {
    const day = local.toPlainDate().add({ days })
    if (frequency === 'weekly' && day.dayOfWeek !== digestWeekday) continue
    const due = dateOf(day.toZonedDateTime({ timeZone, plainTime: { hour: digestHour } }))
    if (due > after) return due
  }
}

/** When the quiet hours end that `at` lies in; null when it lies in none. */
export function quietUntil({ timeZone, quietHours }: Pick<DeliverySettings, 'timeZone' | 'quietHours'>, at: Date): Date | null {
  if (quietHours === null) return null
  const { from, until } = quietHours
  const local = localTime(at, timeZone)
  const overnight = from > until
  const isQuiet = overnight ? local.hour >= from || local.hour < until : local.hour >= from && local.hour < until
  if (!isQuiet) return null
  const endsTomorrow = overnight && local.hour >= from
  const day = local.toPlainDate().add({ days: endsTomorrow ? 1 : 0 })
  const end = dateOf(day.toZonedDateTime({ timeZone, plainTime: { hour: until } }))
  // The hour that comes twice when summer time ends may put the end behind us: what is left of it is not quiet.
  return end > at ? end : null
}

const localTime = (at: Date, timeZone: string) => Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
const dateOf = (time: Temporal.ZonedDateTime): Date => new Date(time.epochMilliseconds)
