import type { IsoDate } from '../../../contract/common.ts'
import { formatDay, formatPeriod } from '../../lib/dates.ts'
import type { ChartMark } from './chart-series.ts'

/** A mark's text: what happened, and when. */
export const markText = ({ label, date, span }: ChartMark): string =>
  `${label}, ${span === undefined ? formatDay(date, true) : spanText(span)}`

/** `27 Mar–8 Apr 2026`, or `since 27 Mar 2026` while ongoing. */
export function spanText({ start, end }: { start: IsoDate; end: IsoDate | null }): string {
  return end === null ? `since ${formatDay(start, true)}` : formatPeriod({ start, end }, true)
}

/** A day's marks: those on it, and longer ones that include it. */
export const marksOn = (marks: readonly ChartMark[], day: IsoDate): readonly ChartMark[] =>
  marks.filter(({ date, span }) => (span === undefined ? date === day : span.start <= day && (span.end === null || day <= span.end)))
