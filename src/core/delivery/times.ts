import { Temporal } from 'temporal-polyfill'
import type { DeliverySettings } from '../../contract/delivery.ts'

type DigestTimes = Pick<DeliverySettings, 'timeZone' | 'digestHour' | 'digestWeekday' | 'frequency'>

/** When the last digest that somebody got was due. */
export type LastDigest = { at: Date; frequency: 'daily' | 'weekly' }

/**
 * When the next digest is due, strictly after `after`. An hour that the clock skips that day is the one after it, one
 * that comes twice the first of them. Whatever hour or weekday was chosen since the last one, there is one on a day, and
 * a weekly one in seven days; a last one that lies ahead was written by a clock that was wrong.
 */
export function nextDigest(times: DigestTimes, after: Date, last: LastDigest | null = null): Date {
  const { timeZone, digestHour, digestWeekday, frequency } = times
  const first = localTime(after, timeZone).toPlainDate()
  const free = last && last.at <= after ? dayAfter(last, times) : first
  for (let days = 0; ; days += 1) {
    const day = first.add({ days })
    if (frequency === 'weekly' && day.dayOfWeek !== digestWeekday) continue
    if (Temporal.PlainDate.compare(day, free) < 0) continue
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

/** The first day, in the time zone of its reader, on which there may be another one. */
const dayAfter = ({ at, frequency: before }: LastDigest, { timeZone, frequency }: DigestTimes): Temporal.PlainDate =>
  localTime(at, timeZone)
    .toPlainDate()
    .add({ days: before === 'weekly' && frequency === 'weekly' ? 7 : 1 })

const localTime = (at: Date, timeZone: string) => Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
const dateOf = (time: Temporal.ZonedDateTime): Date => new Date(time.epochMilliseconds)
