import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { MetricName } from '../../lib/metric.ts'
import type { ChartBand, ChartMark, ChartRange, ChartSeries } from './chart-series.ts'
import { ChartFigure } from '../ChartFigure.tsx'
import { DaysTable } from '../DaysTable.tsx'
import { MarkKey, MetricKey } from './ChartKey.tsx'
import { directLabelsFrom, heightOf } from './layout.ts'
import { TimeSeriesPlot } from './TimeSeriesPlot.tsx'
import { useWidth } from '../use-width.ts'

export type TimeSeriesChartProps = {
  /** What the chart shows: `Clicks by device`. */
  title: string
  /** What it says, in a sentence, for those who do not see it. */
  summary: string
  metric: MetricName
  /** The first is what the chart is about, the others what it is compared with. */
  series: readonly ChartSeries[]
  bands?: readonly ChartBand[]
  /** What was expected, as an area behind the lines. */
  range?: ChartRange | undefined
  /** Room is kept for them as soon as they are given, even before there is one. */
  marks?: readonly ChartMark[]
  /** More buttons beside that of the table. */
  actions?: ReactNode
}

const noBands: readonly ChartBand[] = []

/** A figure day by day, with times shaded and events marked: to the pointer, the keyboard and screen readers, and as a table. */
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
      {isOfMetrics && <MetricKey series={series} />}
      {!isOfMetrics && (series.length > 1 || range !== undefined) && (
        <div aria-hidden className={clsx('mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted', !hasKey && 'hidden')}>
          {series.map(({ label, muted = false }) => (
            <span key={label} className="inline-flex items-center gap-2">
              <span className={clsx('w-5 border-t-2', muted ? 'border-dashed border-muted' : 'border-brand')} />
              {label}
            </span>
          ))}
          {range !== undefined && (
            <span className="inline-flex items-center gap-2">
              <span className="h-3 w-5 rounded-xs border-t border-dashed border-muted bg-text/10" />
              {range.label}
            </span>
          )}
        </div>
      )}
      <div ref={ref} className="relative mt-1" style={{ height: heightOf(bands.length, marks !== undefined) }}>
        <TimeSeriesPlot label={title} metric={metric} series={series} bands={bands} range={range} marks={marks} width={width} />
      </div>
      {isOfMetrics && marks !== undefined && <MarkKey marks={marks} />}
    </ChartFigure>
  )
}
