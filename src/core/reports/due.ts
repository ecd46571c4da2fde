import type { IsoDate } from '../../contract/common.ts'
import type { DeliverySettings } from '../../contract/delivery/delivery.ts'
import type { Period } from '../../contract/metrics.ts'
import type { ReportKind } from '../../contract/reports/periodic.ts'
import { addDays, later, pacificDay } from '../analytics/days.ts'
import { periodBefore, reportPeriodOf } from '../analytics/report-periods.ts'
import { nextDigest } from '../delivery/times.ts'

/** Days after a week's or month's end that a report waits for the last of its properties. */
const patienceDays = 5
/** Days until Google has usually completed a day. */
const usualDays = 3

export type Planned = {
  kind: ReportKind
  /** First day of the first one to send, and of the last one sent. */
  firstStart: IsoDate
  sentStart: IsoDate | null
}

type Times = Pick<DeliverySettings, 'timeZone' | 'digestHour'>

/** The last week or month that has ended at Google. */
const lastEnded = (kind: ReportKind, now: Date): Period => periodBefore(kind, reportPeriodOf(kind, pacificDay(now)))

const isUpToDate = ({ firstStart, sentStart }: Planned, { start }: Period): boolean =>
  start < firstStart || (sentStart !== null && sentStart >= start)

/** Whether a week or month is no longer waited for. */
export const isOverdue = ({ end }: Period, now: Date): boolean => pacificDay(now) >= addDays(end, patienceDays)

/**
 * The week or month to send: the last one that ended. Older ones missed, for example because the plan had lapsed, are skipped. Null if it was
 * already sent, or ended before the schedule began.
 */
export function pendingReport(planned: Planned, now: Date): Period | null {
  const period = lastEnded(planned.kind, now)
  return isUpToDate(planned, period) ? null : period
}

/** Whether to send a week or month now: once it is complete for all properties, or after five days with what there is. */
export const isDue = (period: Period, complete: readonly boolean[], now: Date): boolean => complete.every(Boolean) || isOverdue(period, now)

/** When to check a schedule next: daily at its owner's digest hour. */
export const nextLook = (times: Times, after: Date): Date => nextDigest({ ...times, digestWeekday: 1, frequency: 'daily' }, after)

/**
 * The approximate time of the next report, for people.
 * @param planned `lookAt`: the next check, planned with the times of that moment; later ones follow those of today
 */
export function nextReportAt(planned: Planned & { lookAt: Date }, times: Times, now: Date): Date {
  const ended = lastEnded(planned.kind, now)
  const period = isUpToDate(planned, ended) ? reportPeriodOf(planned.kind, later(planned.firstStart, addDays(ended.end, 1))) : ended
  const expected = new Date(`${addDays(period.end, usualDays)}T00:00:00Z`)
  const from = expected > now ? expected : now
  return planned.lookAt >= from ? planned.lookAt : nextLook(times, from)
}

/**
 * A report's default week or month: the latest that is complete for all properties; those more than five days behind aren't waited for.
 * Null while nothing is complete anywhere.
 * @param latest of each property
 */
export function latestReport(latest: readonly (Period | null)[], now: Date): Period | null {
  const known = latest.filter((period) => period !== null).toSorted((a, b) => (a.end < b.end ? -1 : 1))
  const newest = known.at(-1)
  if (newest === undefined) return null
  return known.length === latest.length && !isOverdue(newest, now) ? (known[0] ?? newest) : newest
}
