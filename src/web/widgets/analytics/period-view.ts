import { ranges } from '../../../contract/range.ts'
import {
  defaultHistory,
  type HistoryAsked,
  historyGrains,
  type HistoryRange,
  historyRange,
  type NamedRange,
  writeRange,
} from '../../../contract/history.ts'
import type { View } from '../../lib/address-view.ts'
import { comparingWith, comparisonIn } from './compared-with.ts'

/**
 * The days of a screen with figures, what they are compared with, and what one point of its charts stands for. `days` is the form from
 * before there were other ranges; it is read, but never written.
 */
export const periodView = { range: 'text', days: 'text', compare: 'text', grain: historyGrains } as const
export type PeriodView = View<typeof periodView>

export const rangeLabels: Record<NamedRange, string> = {
  '7d': 'Last 7 days',
  '28d': 'Last 28 days',
  '90d': 'Last 90 days',
  '3m': 'Last 3 months',
  '6m': 'Last 6 months',
  '12m': 'Last 12 months',
  '16m': 'Last 16 months',
  all: 'All stored days',
}

/** The days requested by a URL, the default for invalid ones. */
export function rangeIn({ range, days }: Pick<PeriodView, 'range' | 'days'>): HistoryRange {
  const named = historyRange.safeParse(range)
  if (named.success) return named.data
  return ranges.some((each) => String(each) === days) ? historyRange.parse(`${days}d`) : defaultHistory.range
}

export const periodIn = (view: PeriodView): HistoryAsked => ({
  range: rangeIn(view),
  compare: comparisonIn(view.compare),
  grain: view.grain,
})

type Choice = { [Name in keyof HistoryAsked]?: HistoryAsked[Name] | undefined }

/** The URL change that requests something else. Chosen days are always named, so that every other screen shows them too. */
export const askingFor = ({ range, compare, grain }: Choice): Partial<PeriodView> => ({
  ...(range !== undefined && { range: writeRange(range), days: '' }),
  ...(compare !== undefined && { compare: comparingWith(compare) }),
  ...(grain !== undefined && { grain }),
})
