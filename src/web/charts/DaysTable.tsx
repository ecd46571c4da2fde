import { metricLabels, type MetricName } from '../lib/metric.ts'
import { formatDay } from '../lib/dates.ts'
import type { ChartSeries } from './chart-series.ts'
import { readingAt } from './time-series-reading.ts'

type DaysTableProps = { caption: string; metric: MetricName; series: readonly ChartSeries[] }

/** What a chart over days shows, as a table: newest day first. */
export function DaysTable({ caption, metric, series }: DaysTableProps) {
  const [first] = series
  const isCompared = series.length > 1
  return (
    <table className="min-w-52 text-sm tabular-nums">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b border-line text-muted">
          <th scope="col" className="py-1.5 pr-6 text-left font-medium">
            Date
          </th>
          {series.map(({ label }) => (
            <th key={label} scope="col" className="py-1.5 pl-4 text-right font-medium">
              {isCompared ? label : metricLabels[metric]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {first?.points.toReversed().map(({ date }) => (
          <tr key={date} className="border-b border-line last:border-0">
            <th scope="row" className="py-1.5 pr-6 text-left font-normal whitespace-nowrap">
              {formatDay(date, true)}
            </th>
            {readingAt(metric, series, date).lines.map(({ label, text }) => (
              <td key={label} className="py-1.5 pl-4 text-right">
                {text}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
