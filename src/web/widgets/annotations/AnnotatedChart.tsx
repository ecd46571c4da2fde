import { useMemo } from 'react'
import type { SearchType } from '../../../contract/common.ts'
import { addDays } from '../../../core/analytics/days.ts'
import type { ChartMark } from '../../charts/time-series/chart-series.ts'
import { TimeSeriesChart, type TimeSeriesChartProps } from '../../charts/time-series/TimeSeriesChart.tsx'
import { daysOf } from '../../charts/time-series/geometry.ts'
import { NotesButton } from './NotesButton.tsx'
import { useAnnotationMarks } from './use-annotation-marks.ts'

type AnnotatedChartProps = TimeSeriesChartProps & { property: string; /** Web search if missing. */ searchType?: SearchType | undefined }

const noMarks: readonly ChartMark[] = []

/** A chart over a property's days, with their events, and a button to read and write notes. */
export function AnnotatedChart(props: AnnotatedChartProps) {
  const { series } = props
  const days = useMemo(() => daysOf(series), [series])
  // Without days there are no events.
  if (days === null) return <TimeSeriesChart {...props} />
  return <WithDays {...props} from={days.first} to={addDays(days.first, days.days - 1)} />
}

function WithDays({
  property,
  searchType,
  from,
  to,
  marks = noMarks,
  actions,
  ...chart
}: AnnotatedChartProps & { from: string; to: string }) {
  const metrics = [...new Set(chart.series.map(({ metric = chart.metric }) => metric))]
  const found = useAnnotationMarks(property, metrics, { start: from, end: to }, searchType)
  const all = useMemo(() => [...marks, ...found], [marks, found])
  const notes = <NotesButton property={property} searchType={searchType} of={chart.title} days={{ start: from, end: to }} />
  return (
    <TimeSeriesChart
      {...chart}
      marks={all}
      actions={
        <>
          {actions}
          {notes}
        </>
      }
    />
  )
}
