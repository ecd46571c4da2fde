import { useCallback, useMemo } from 'react'
import {
  defaultHistory,
  type HistoryAsked,
  type HistoryComparison,
  historyComparisons,
  historyGrains,
  historyRange,
  writeRange,
} from '../../../../contract/history.ts'
import { type MetricName, metricNames } from '../../../lib/metric.ts'
import { useView } from '../../../widgets/analytics/use-view.ts'

/** What the address says of the chart; what makes no sense counts as if it were not there. */
const spec = { range: 'text', compare: historyComparisons, grain: historyGrains, metrics: 'text' } as const

export type HistoryView = HistoryAsked & {
  /** The metrics that the chart shows, at least one. */
  shown: readonly MetricName[]
}

const usually: readonly MetricName[] = ['clicks', 'impressions']
const written = (shown: readonly MetricName[]): string => shown.join(',')

/** What the chart of the dashboard shows, and how to show something else: all of it is in the address, so that a link shows the same. */
export function useHistoryView(): [HistoryView, (change: Partial<HistoryView>) => void] {
  const [{ range, compare, grain, metrics }, show] = useView(spec)
  const view = useMemo(() => {
    const named = metrics.split(',')
    const shown = metricNames.filter((each) => named.includes(each))
    const days = historyRange.safeParse(range)
    return { range: days.success ? days.data : defaultHistory.range, compare, grain, shown: shown.length === 0 ? usually : shown }
  }, [range, compare, grain, metrics])
  const change = useCallback(
    ({ range: days, shown, ...others }: Partial<HistoryView>) =>
      show({
        ...others,
        ...(days !== undefined && { range: days === defaultHistory.range ? '' : writeRange(days) }),
        ...(shown !== undefined && { metrics: written(shown) === written(usually) ? '' : written(shown) }),
      }),
    [show],
  )
  return [view, change]
}

/** Days that are compared: as they are asked for, and as an address says them. */
export type ComparedDaysOfChart = {
  asked: { range: string; compare: HistoryComparison }
  shown: Pick<HistoryAsked, 'range' | 'compare'>
}

/** The days of the chart, for what has to compare them: with the period before where the chart compares nothing. */
export function useComparedDays(): ComparedDaysOfChart {
  const [{ range, compare }] = useHistoryView()
  const against = compare === 'none' ? defaultHistory.compare : compare
  return { asked: { range: writeRange(range), compare: against }, shown: { range, compare: against } }
}
