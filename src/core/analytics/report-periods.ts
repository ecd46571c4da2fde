import type { IsoDate } from '../../contract/common.ts'
import type { Period } from '../../contract/metrics.ts'
import type { ReportKind } from '../../contract/reports/periodic.ts'
import { addDays, dayNumber, eachDay, monthsBefore } from './days.ts'

/** 1970-01-01 was a Thursday. */
const daysSinceMonday = (date: IsoDate): number => (((dayNumber(date) + 3) % 7) + 7) % 7

const monthFrom = (start: IsoDate): Period => ({ start, end: addDays(monthsBefore(start, -1), -1) })
const weekFrom = (start: IsoDate): Period => ({ start, end: addDays(start, 6) })

/** The week from Monday to Sunday, or the calendar month, that includes a day. */
export function reportPeriodOf(kind: ReportKind, date: IsoDate): Period {
  return kind === 'week' ? weekFrom(addDays(date, -daysSinceMonday(date))) : monthFrom(`${date.slice(0, 7)}-01`)
}

/** The week or month before. */
export const periodBefore = (kind: ReportKind, { start }: Period): Period => reportPeriodOf(kind, addDays(start, -1))

/** 52 weeks: a year earlier, on the same days of the week. */
const yearDays = 364

/** The same month of the year before; for a week the one 52 weeks earlier. */
export const periodLastYear = (kind: ReportKind, { start }: Period): Period =>
  kind === 'week' ? weekFrom(addDays(start, -yearDays)) : monthFrom(monthsBefore(start, 12))

/** Whether every day of a period is among the stored ones. */
export const isWhole = ({ start, end }: Period, stored: ReadonlySet<IsoDate>): boolean =>
  eachDay(start, end).every((day) => stored.has(day))

/** Weeks or months with all days stored and complete, latest first. */
export function completePeriods(kind: ReportKind, storedDays: Iterable<IsoDate>, completeThrough: IsoDate): Period[] {
  const stored = new Set(storedDays)
  const starts = new Set(Array.from(stored, (day) => reportPeriodOf(kind, day).start))
  return [...starts]
    .toSorted((a, b) => (a < b ? 1 : -1))
    .map((start) => reportPeriodOf(kind, start))
    .filter((period) => period.end <= completeThrough && isWhole(period, stored))
}
