import type { Period } from '../../../contract/metrics.ts'
import type { ReportKind } from '../../../contract/reports/periodic.ts'
import { kindTitle } from '../../../core/reports/copy.ts'
import { monthTitle } from '../../lib/calendar.ts'
import { formatPeriod } from '../../lib/dates.ts'

/** `October 2026`, or `9–15 Nov 2026`. */
export const periodTitle = (kind: ReportKind, period: Period): string =>
  kind === 'month' ? monthTitle(period.start) : formatPeriod(period, true)

/** `Monthly report: October 2026`, `Weekly report: 9–15 Nov 2026`. */
export const reportTitle = (kind: ReportKind, period: Period): string => `${kindTitle(kind)}: ${periodTitle(kind, period)}`

/** Short names for the compared periods. */
export const comparedWords = {
  month: { previous: 'previous month', lastYear: 'a year earlier' },
  week: { previous: 'previous week', lastYear: 'a year earlier' },
} as const

/** A property's anchor on a page with several: nothing in it may be read as more than a name. */
export const reportAnchor = (index: number): string => `property-${index + 1}`
