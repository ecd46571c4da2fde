import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { MetricName } from '../../lib/metric.ts'
import type { ChartBand, ChartMark, ChartRange, ChartSeries } from './chart-series.ts'
import { ChartFigure } from '../ChartFigure.tsx'
import { DaysTable } from '../DaysTable.tsx'
import { MarkKey, MetricKey, RangeKey, UnfinishedKey } from './ChartKey.tsx'
import { directLabelsFrom, heightOf } from './layout.ts'
import { TimeSeriesPlot } from './TimeSeriesPlot.tsx'
import { useWidth } from '../use-width.ts'

export type TimeSeriesChartProps = {
  /** What the chart shows: `Clicks by device`. */
  title: string
  /** A one-sentence summary for people who can't see it. */
  summary: string
  metric: MetricName
  /** The chart's subject first, then what it is compared with. */
  series: readonly ChartSeries[]
  bands?: readonly ChartBand[]
  /** Expected values, as an area behind the lines. */
  range?: ChartRange | undefined
  /** Room is reserved for them once given, even before there are any. */
  marks?: readonly ChartMark[]
  /** Further buttons next to the table's. */
  actions?: ReactNode
}

const noBands: readonly ChartBand[] = []

/** A figure by day, with shaded periods and marked events: for pointer, keyboard and screen readers, and as a table. */
export function TimeSeriesChart({ title, summary, metric, series, bands = noBands, range, marks, actions }: TimeSeriesChartProps) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const isOfMetrics = series[0]?.metric !== undefined
  const hasKey = range !== undefined || (series.length > 1 && width < directLabelsFrom)
  return (
    <ChartFigure
      title={title}
      summary={summary}
      table={<DaysTable caption={title} metric={metric} series={series} range={range} />}
      actions={actions}
    >
      {isOfMetrics && <MetricKey series={series} range={range} />}
      {!isOfMetrics && (series.length > 1 || range !== undefined) && (
        <div aria-hidden className={clsx('mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted', !hasKey && 'hidden')}>
          {series.map(({ label, muted = false }) => (
            <span key={label} className="inline-flex items-center gap-2">
              <span className={clsx('w-5 border-t-2', muted ? 'border-dashed border-muted' : 'border-brand')} />
              {label}
            </span>
          ))}
          <UnfinishedKey series={series} />
          {range !== undefined && <RangeKey range={range} />}
        </div>
      )}
      <div ref={ref} className="relative mt-1" style={{ height: heightOf(bands.length, marks !== undefined) }}>
        <TimeSeriesPlot label={title} metric={metric} series={series} bands={bands} range={range} marks={marks} width={width} />
      </div>
      {isOfMetrics && marks !== undefined && <MarkKey marks={marks} />}
    </ChartFigure>
  )
}
