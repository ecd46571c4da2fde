import type { HistoryAsked, HistoryRange } from '../../../contract/range.ts'
import { searchedRange } from '../../../contract/search.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { comparisonIn } from '../../widgets/analytics/compared-with.ts'
import { rangeIn, rangeLabels } from '../../widgets/analytics/period-view.ts'
import { analyticsScreens } from '../frame/kept-params.ts'

/** The days that the palette searches: those on screen, so that its figures are those of the list it leads to. */
export function searchedDays({ pathname, search }: { pathname: string; search: string }): Omit<HistoryAsked, 'grain'> {
  if (!analyticsScreens.includes(pathname)) return { range: searchedRange, compare: 'previous' }
  const query = new URLSearchParams(search)
  const named = (name: string): string => query.get(name) ?? ''
  return { range: rangeIn({ range: named('range'), days: named('days') }), compare: comparisonIn(named('compare')) }
}

/** `last 28 days`, `all stored days`, `3–9 Nov 2026`. */
export const daysText = (range: HistoryRange): string =>
  typeof range !== 'string' ? formatPeriod(range, true) : rangeLabels[range].toLowerCase()

/** `in the last 28 days`, `in all stored days`, `on 3–9 Nov 2026`. */
export const withinDays = (range: HistoryRange): string =>
  typeof range !== 'string' ? `on ${daysText(range)}` : `${range === 'all' ? 'across ' : 'in the '}${daysText(range)}`
