import { metricLabels, type MetricName } from '../lib/metric.ts'
import { type ChartRange, type ChartSeries, nameOf } from './time-series/chart-series.ts'
import { DatedTable } from './DatedTable.tsx'
import { readingAt } from './time-series/reading.ts'

type DaysTableProps = { caption: string; metric: MetricName; series: readonly ChartSeries[]; range?: ChartRange | undefined }

/** A chart's series side by side, on the days of the first. */
export function DaysTable({ caption, metric, series, range }: DaysTableProps) {
  const dates = series[0]?.points.map(({ date }) => date) ?? []
  return (
    <DatedTable
      caption={caption}
      columns={[...(series.length > 1 ? series.map(nameOf) : [metricLabels[metric]]), ...(range ? [range.label] : [])]}
      rows={dates.map((date) => {
        const { end = date, lines } = readingAt(metric, series, date, range)
        return { date, end, cells: lines.map(({ text }) => text) }
      })}
    />
  )
}
