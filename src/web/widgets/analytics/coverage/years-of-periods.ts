import type { Period } from '../../../../contract/metrics.ts'
import { formatPeriod } from '../../../lib/dates.ts'

/** Whether the compared days need their year to be told from these. */
export const isOfAnotherYear = (current: Period, previous: Period): boolean => current.end.slice(0, 4) !== previous.start.slice(0, 4)

/** `3–9 Nov vs 27 Oct–2 Nov`, with years unless all days are in the same one. */
export function formatPeriods(current: Period, previous: Period): string {
  const years = isOfAnotherYear(current, previous)
  return `${formatPeriod(current, years)} vs ${formatPeriod(previous, years)}`
}
