import { Temporal } from 'temporal-polyfill'
import type { DeliverySettings } from '../../contract/delivery/delivery.ts'

type DigestTimes = Pick<DeliverySettings, 'timeZone' | 'digestHour' | 'digestWeekday' | 'frequency'>

/** Bounds for the next weekly digest in days after the last one, whatever has been chosen in the meantime. */
const weeklyAfter = { least: 5, usual: 7, most: 12 }

/**
 * When the next digest is due, strictly after `after`. If the clock skips the hour that day, it comes an hour later; if the hour comes
 * twice, at the first. At most one a day. A weekly one comes on its weekday, never twice in five days; if that left almost two weeks
 * without one, it comes once on another day. A last digest in the future was written by a wrong clock.
 */
export function nextDigest(times: DigestTimes, after: Date, last: Date | null = null): Date {
  const { timeZone, digestHour, digestWeekday, frequency } = times
  const before = last && last <= after ? localTime(last, timeZone) : null
  const first = (isFine: (due: Temporal.ZonedDateTime, day: Temporal.PlainDate) => boolean): Temporal.ZonedDateTime => {
    for (let day = localTime(after, timeZone).toPlainDate(); ; day = day.add({ days: 1 })) {
      const due = day.toZonedDateTime({ timeZone, plainTime: { hour: digestHour } })
      if (dateOf(due) > after && isFine(due, day)) return due
    }
  }
  const isSince = (days: number) => (due: Temporal.ZonedDateTime) =>
    before === null || Temporal.ZonedDateTime.compare(due, before.add({ days })) >= 0

  if (frequency !== 'weekly')
    return dateOf(first((_due, day) => before === null || Temporal.PlainDate.compare(day, before.toPlainDate()) > 0))
  const onWeekday = first((due, day) => day.dayOfWeek === digestWeekday && isSince(weeklyAfter.least)(due))
  const isLate = before !== null && isSince(weeklyAfter.most)(onWeekday)
  return dateOf(isLate ? first(isSince(weeklyAfter.usual)) : onWeekday)
}

/** The end of the quiet hours that include `at`; null outside of them. */
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
  // When an hour repeats at the end of daylight saving time, `end` may be in the past: then quiet hours are over.
  return end > at ? end : null
}

const localTime = (at: Date, timeZone: string) => Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
const dateOf = (time: Temporal.ZonedDateTime): Date => new Date(time.epochMilliseconds)
