import type { IsoDate } from '../../../../contract/common.ts'
import type { Period } from '../../../../contract/metrics.ts'
import { formatDay, formatDayBy, formatPeriod } from '../../../lib/dates.ts'

/** Whether the compared days need their year to be told from these. */
export const isOfAnotherYear = (current: Period, previous: Period): boolean => current.end.slice(0, 4) !== previous.start.slice(0, 4)

/** `3–9 Nov vs 27 Oct–2 Nov`, with years unless all days are in the same one. */
export function formatPeriods(current: Period, previous: Period): string {
  const years = isOfAnotherYear(current, previous)
  return `${formatPeriod(current, years)} vs ${formatPeriod(previous, years)}`
}

/** `Days<Period>` are compared with others. */
export type Days<Previous extends Period | null = Period | null> = { current: Period; previous: Previous; completeThrough: IsoDate }

/** Which days need their year: these ones to be told from the latest, or any of them to be told from the compared ones. */
export function yearsNeeded({ current, previous, completeThrough }: Days): { isOld: boolean; years: boolean } {
  const isOld = current.start.slice(0, 4) !== completeThrough.slice(0, 4)
  return { isOld, years: isOld || (previous !== null && isOfAnotherYear(current, previous)) }
}

/**
 * `9–15 Mar vs 2–8 Mar, complete through 15 Mar.`, with years if the latest stored day is of another year than now: an import may be old.
 * @param names whether to name the compared days
 */
export function daysShown(days: Days, now: Date, names = true): string {
  const { current, previous, completeThrough } = days
  const isOver = formatDayBy(completeThrough, now) !== formatDay(completeThrough)
  const { isOld, years } = yearsNeeded(days)
  const compared = previous !== null && names ? ` vs ${formatPeriod(previous, isOver || years)}` : ''
  return `${formatPeriod(current, isOver || years)}${compared}, complete through ${formatDay(completeThrough, isOver || isOld)}.`
}
