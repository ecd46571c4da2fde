import type { IsoDate } from '../../contract/common.ts'
import type { DeliverySettings } from '../../contract/delivery/delivery.ts'
import type { Period } from '../../contract/metrics.ts'
import type { ReportKind } from '../../contract/reports/periodic.ts'
import { addDays, later, pacificDay } from '../analytics/days.ts'
import { periodBefore, reportPeriodOf } from '../analytics/report-periods.ts'
import { nextDigest } from '../delivery/times.ts'

/** Days after the end of a week or month for which a report waits for the last of its properties. */
const patienceDays = 5
/** Days after which Google has usually completed a day. */
const usualDays = 3

export type Planned = {
  kind: ReportKind
  /** First day of the first one that is sent at all, and of the one that was sent last. */
  firstStart: IsoDate
  sentStart: IsoDate | null
}

type Times = Pick<DeliverySettings, 'timeZone' | 'digestHour'>

/** The last week or month that is over at Google. */
const lastEnded = (kind: ReportKind, now: Date): Period => periodBefore(kind, reportPeriodOf(kind, pacificDay(now)))

const isUpToDate = ({ firstStart, sentStart }: Planned, { start }: Period): boolean =>
  start < firstStart || (sentStart !== null && sentStart >= start)

const isOverdue = ({ end }: Period, now: Date): boolean => pacificDay(now) >= addDays(end, patienceDays)

/**
 * The week or month that waits to be sent: the last one that has ended. Older ones that were missed, say because the plan
 * had lapsed, are not made up for. Null where it was sent already, or ended before the schedule began.
 */
export function pendingReport(planned: Planned, now: Date): Period | null {
  const period = lastEnded(planned.kind, now)
  return isUpToDate(planned, period) ? null : period
}

/** Whether a week or month is sent now: once it is complete for all properties, or after five days with what there is. */
export const isDue = (period: Period, complete: readonly boolean[], now: Date): boolean => complete.every(Boolean) || isOverdue(period, now)

/** When a schedule is looked at again: at the hour at which its owner gets digests, every day. */
export const nextLook = (times: Times, after: Date): Date => nextDigest({ ...times, digestWeekday: 1, frequency: 'daily' }, after)

/** About when the next report goes out, for people. */
export function nextReportAt(planned: Planned, times: Times, now: Date): Date {
  const ended = lastEnded(planned.kind, now)
  const period = isUpToDate(planned, ended) ? reportPeriodOf(planned.kind, later(planned.firstStart, addDays(ended.end, 1))) : ended
  const expected = new Date(`${addDays(period.end, usualDays)}T00:00:00Z`)
  return nextLook(times, expected > now ? expected : now)
}

/**
 * The week or month that a report is about when none is named: the latest that is complete for all properties; one that
 * lags behind for more than five days is not waited for. Null while nothing is complete anywhere.
 * @param latest of each property
 */
export function latestReport(latest: readonly (Period | null)[], now: Date): Period | null {
  const known = latest.filter((period) => period !== null).toSorted((a, b) => (a.end < b.end ? -1 : 1))
  const newest = known.at(-1)
  if (newest === undefined) return null
  return known.length === latest.length && !isOverdue(newest, now) ? (known[0] ?? newest) : newest
}
