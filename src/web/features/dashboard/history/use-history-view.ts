import { useCallback, useMemo } from 'react'
import { type SearchType, searchTypes } from '../../../../contract/common.ts'
import { defaultHistory, type HistoryAsked, writeRange } from '../../../../contract/history.ts'
import { writeComparison } from '../../../../contract/range.ts'
import { type MetricName, shownIn, writeShown } from '../../../lib/metric.ts'
import { askingFor, periodIn, periodView } from '../../../widgets/analytics/period-view.ts'
import { useView } from '../../../widgets/analytics/use-view.ts'

/** The URL's chart parameters; ignores invalid values. */
const spec = { ...periodView, type: searchTypes, metrics: 'text', segment: 'text' } as const

export type HistoryView = HistoryAsked & {
  type: SearchType
  /** The metrics in the chart, at least one. */
  shown: readonly MetricName[]
  /** A segment's id; empty for the whole site. */
  segment: string
}

/** The dashboard chart's state, and how to change it: all of it is in the URL, so that a link shows the same. */
export function useHistoryView(): [HistoryView, (change: Partial<HistoryView>) => void] {
  const [{ range, days, compare, grain, type, metrics, segment }, show] = useView(spec)
  const view = useMemo(
    () => ({ ...periodIn({ range, days, compare, grain }), type, shown: shownIn(metrics, type), segment }),
    [range, days, compare, grain, type, metrics, segment],
  )
  const change = useCallback(
    ({ type: chosenType, segment: chosen, shown, ...period }: Partial<HistoryView>) =>
      show({
        ...askingFor(period),
        ...(chosenType !== undefined && { type: chosenType }),
        ...(chosen !== undefined && { segment: chosen }),
        ...(shown !== undefined && { metrics: writeShown(shown) }),
      }),
    [show],
  )
  return [view, change]
}

/** The compared days: as requested, and in URL form. */
export type ComparedDaysOfChart = {
  type: SearchType
  segment: string
  /** With the search type, if it isn't web. */
  asked: { range: string; compare: string; type?: SearchType }
  shown: Pick<HistoryAsked, 'range' | 'compare'> & { type?: SearchType }
}

/** The chart's days for anything that needs a comparison: with the previous period if the chart has none. */
export function useComparedDays(): ComparedDaysOfChart {
  const [{ range, compare, type, segment }] = useHistoryView()
  const against = compare === 'none' ? defaultHistory.compare : compare
  const ofType = type === 'web' ? {} : { type }
  return {
    type,
    segment,
    asked: { range: writeRange(range), compare: writeComparison(against), ...ofType },
    shown: { range, compare: against, ...ofType },
  }
}
