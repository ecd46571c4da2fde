import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { IsoDate } from '../../../contract/common.ts'
import { annotationsQuery } from '../../api/annotations.ts'
import type { ChartMark } from '../../charts/chart-series.ts'
import { marksOf, within } from './marks.ts'

const none: readonly ChartMark[] = []

/** What happened on the days of a chart: a person's own notes and Google's ranking incidents. None until they are known. */
export function useAnnotationMarks(property: string, from: IsoDate, to: IsoDate): readonly ChartMark[] {
  const { data } = useQuery(annotationsQuery(property))
  return useMemo(() => {
    const period = { start: from, end: to }
    return data === undefined ? none : marksOf(within(data, period), period)
  }, [data, from, to])
}
