import type { ReportKind } from '../../../../contract/periodic-reports.ts'
import type { SyncStatus } from '../../../../contract/sync.ts'
import { addDays, pacificDay } from '../../../../core/analytics/days.ts'
import { reportPeriodOf } from '../../../../core/analytics/report-periods.ts'
import { isUnderWay } from '../../../api/sync.ts'
import { formatDay } from '../../../lib/dates.ts'
import { periodTitle } from '../../../widgets/report/report-words.ts'

/** Days until Google has declared a day complete (docs/google-api.md). */
const settlingDays = 3

/**
 * When the first report of a property will be there, in a sentence.
 * @param status null where the property has no sync
 */
export function firstReport(kind: ReportKind, status: SyncStatus | null, now: Date): string {
  if (status?.state === 'imported') {
    const days = kind === 'month' ? 'from its first day to its last' : 'from Monday to Sunday'
    return `The imported files hold no whole ${kind}. Import one that covers a ${kind} ${days}.`
  }
  if (status !== null && isUnderWay(status)) {
    return status.daysLeft > 0
      ? `The history is still being fetched: ${status.daysLeft} ${status.daysLeft === 1 ? 'day is' : 'days are'} left. The first report is here as soon as a whole ${kind} is stored.`
      : `The history is being fetched. The first report is here as soon as a whole ${kind} is stored.`
  }
  const period = firstWhole(kind, status?.firstDate ?? pacificDay(now))
  const there = addDays(period.end, settlingDays)
  return there < pacificDay(now)
    ? `The first one is about ${periodTitle(kind, period)}, and is here as soon as all of its days are stored.`
    : `The first one is about ${periodTitle(kind, period)}, and is here around ${formatDay(there, true)}: Google takes two or three days to complete a day.`
}

/** The first week or month none of whose days lies before the first stored one. */
function firstWhole(kind: ReportKind, firstDate: string) {
  const around = reportPeriodOf(kind, firstDate)
  return around.start === firstDate ? around : reportPeriodOf(kind, addDays(around.end, 1))
}
