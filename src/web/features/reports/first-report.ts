import { counted } from '../../../core/words.ts'
import type { ReportKind } from '../../../contract/reports/periodic.ts'
import type { SyncStatus } from '../../../contract/sync.ts'
import { addDays, pacificDay } from '../../../core/analytics/days.ts'
import { reportPeriodOf } from '../../../core/analytics/report-periods.ts'
import { isUnderWay } from '../../api/sync.ts'
import { formatDay } from '../../lib/dates.ts'
import { periodTitle } from '../../widgets/report/copy.ts'

/** Days until Google has declared a day complete (docs/google-api.md). */
const settlingDays = 3

/**
 * When a property's first report will be ready, in a sentence.
 * @param status null if the property has no sync
 */
export function firstReport(kind: ReportKind, status: SyncStatus | null, now: Date): string {
  if (status?.state === 'imported') {
    const days = kind === 'month' ? 'from its first day to its last' : 'from Monday to Sunday'
    return `Your imported files don't cover a full ${kind}. Import one that covers a ${kind} ${days}.`
  }
  if (status !== null && isUnderWay(status)) {
    return status.daysLeft > 0
      ? `Importing history: ${counted(status.daysLeft, 'day')} left. Your first report will be ready once a full ${kind} of data is in.`
      : `Importing history. Your first report will be ready once a full ${kind} of data is in.`
  }
  const whole = firstWhole(kind, status?.firstDate ?? pacificDay(now))
  // Everything complete so far is before the property's first data, or there would be a report.
  const open = status?.completeThrough ? reportPeriodOf(kind, addDays(status.completeThrough, 1)) : whole
  const period = open.start > whole.start ? open : whole
  const there = addDays(period.end, settlingDays)
  return there < pacificDay(now)
    ? `Your first report covers ${periodTitle(kind, period)} and will be ready once all of its data is in.`
    : `Your first report covers ${periodTitle(kind, period)} and will be ready around ${formatDay(there, true)}: Google takes two or three days to finalize each day's data.`
}

/** The first week or month with no day before the first stored one. */
function firstWhole(kind: ReportKind, firstDate: string) {
  const around = reportPeriodOf(kind, firstDate)
  return around.start === firstDate ? around : reportPeriodOf(kind, addDays(around.end, 1))
}
