import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type AnomalyMetric, anomalyMetric } from '../../../contract/annotations.ts'
import type { SearchType } from '../../../contract/common.ts'
import type { Period } from '../../../contract/metrics.ts'
import { annotationsQuery } from '../../api/annotations.ts'
import type { ChartMark } from '../../charts/time-series/chart-series.ts'
import { eventsWithin, marksOf } from './marks.ts'

const none: readonly ChartMark[] = []

/**
 * Events on a chart's days for one or more metrics: a person's own notes, Google's ranking incidents, and days counted differently. Empty
 * until known, and without days.
 */
export function useAnnotationMarks(
  property: string,
  metrics: AnomalyMetric | readonly AnomalyMetric[],
  days: Period | null,
  searchType: SearchType = 'web',
): readonly ChartMark[] {
  const { data } = useQuery({ ...annotationsQuery(property), enabled: days !== null })
  const { start, end } = days ?? {}
  // A new array on every render, so compared by content.
  const names = [metrics].flat().join(' ')
  return useMemo(() => {
    if (data === undefined || start === undefined || end === undefined) return none
    const happened = eventsWithin(data, { start, end }, searchType)
    return marksOf(happened, { start, end }, ...anomalyMetric.options.filter((each) => names.split(' ').includes(each)))
  }, [data, start, end, names, searchType])
}
