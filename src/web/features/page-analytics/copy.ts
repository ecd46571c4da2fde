import type { Period } from '../../../contract/metrics.ts'
import { daysBetween } from '../../../core/analytics/days.ts'
import { formatPeriod } from '../../lib/dates.ts'

/** What the list contains. */
export const decayQuestion = (periods: readonly Period[]): string =>
  `Pages with three straight ${lengthOf(periods)}periods of falling clicks. Biggest losses first.`

const lengthOf = ([first]: readonly Period[]): string => (first ? `${daysBetween(first.start, first.end)}-day ` : '')

/** Why nothing can be said yet: figures are needed from the first day of the oldest period on. */
export function tooLittleHistory(periods: readonly Period[]): string {
  const [first] = periods
  const last = periods.at(-1)
  const needed = first && last ? ` (${formatPeriod({ start: first.start, end: last.end }, true)})` : ''
  return `Content decay compares four ${lengthOf(periods)}periods${needed}. Not all of these days are stored yet.`
}

/** A page's clicks in the four periods, oldest first, and how many of them are gone. */
export function lossOf(clicks: readonly number[]): { lost: number; share: number } {
  const before = clicks[0] ?? 0
  const lost = before - (clicks.at(-1) ?? 0)
  return { lost, share: before === 0 ? 0 : lost / before }
}

/** Each bar's fraction of the tallest one. */
export function barHeights(values: readonly number[]): number[] {
  const most = Math.max(0, ...values)
  return values.map((value) => (most === 0 ? 0 : value / most))
}
