import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { metricLabels, type MetricName } from '../../lib/metric.ts'
import { DatedTable } from '../ChartTable.tsx'
import { metricColors } from '../metric-color.ts'
import { type ChartBand, type ChartMark, type ChartRange, type ChartSeries, datesOf, seriesNames } from './chart-series.ts'
import { ChartFigure } from '../ChartFigure.tsx'
import { directLabelsFrom, heightOf } from './layout.ts'
import { isPreliminary, readingAt, unfinished } from './reading.ts'
import { TimeSeriesPlot } from './TimeSeriesPlot.tsx'
import { useSize } from '../use-size.ts'

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
  /** Takes the height of its place, a flex column, if that is higher. */
  fills?: boolean
}

const noBands: readonly ChartBand[] = []

/** A figure by day, with shaded periods and marked events: for pointer, keyboard and screen readers, and as a table. */
export function TimeSeriesChart({
  title,
  summary,
  metric,
  series,
  bands = noBands,
  range,
  marks,
  actions,
  fills = false,
}: TimeSeriesChartProps) {
  const [ref, width, height] = useSize<HTMLDivElement>()
  const least = heightOf(bands.length, marks !== undefined)
  const isOfMetrics = series[0]?.metric !== undefined
  const hasKey = range !== undefined || (series.length > 1 && width < directLabelsFrom)
  return (
    <ChartFigure
      title={title}
      summary={summary}
      table={<DaysTable caption={title} metric={metric} series={series} range={range} />}
      actions={actions}
      fills={fills}
    >
      {isOfMetrics && <MetricKey series={series} range={range} />}
      {!isOfMetrics && (series.length > 1 || range !== undefined) && (
        <div aria-hidden className={clsx('mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted', !hasKey && 'hidden')}>
          {datesOf(series).map(({ label, muted }) => (
            <span key={label} className="inline-flex items-center gap-2">
              <span className={clsx('w-5 border-t-2', muted ? 'border-dashed border-muted' : 'border-brand')} />
              {label}
            </span>
          ))}
          <UnfinishedKey series={series} />
          {range !== undefined && <RangeKey range={range} />}
        </div>
      )}
      <div ref={ref} className={clsx('relative mt-1', fills && 'grow')} style={{ [fills ? 'minHeight' : 'height']: least }}>
        <TimeSeriesPlot
          label={title}
          metric={metric}
          series={series}
          bands={bands}
          range={range}
          marks={marks}
          width={width}
          height={Math.max(height, least)}
        />
      </div>
      {marks !== undefined && <MarkKey marks={marks} />}
    </ChartFigure>
  )
}

/** For a chart of several metrics: each one's color, the side of its scale, how its days are drawn, what is unfinished, and its expected values. */
function MetricKey({ series, range }: { series: readonly ChartSeries[]; range: ChartRange | undefined }) {
  const metrics = [...new Set(series.flatMap(({ metric }) => metric ?? []))]
  return (
    <div aria-hidden className="mt-1 flex min-h-10 flex-wrap content-start gap-x-4 gap-y-1 text-xs text-muted tabular-nums sm:min-h-5">
      {metrics.map((metric, index) => (
        <span key={metric} className="inline-flex items-center gap-2">
          <span className={clsx('size-2.5 rounded-full', metricColors[metric].bg)} />
          {metricLabels[metric]}
          {metrics.length > 1 && ` (${sideOf(index)})`}
        </span>
      ))}
      {datesOf(series).map(({ label, muted }) => (
        <span key={label} className="inline-flex items-center gap-2">
          <span className={clsx('w-5 border-t-2 border-muted', muted && 'border-dashed')} />
          {label}
        </span>
      ))}
      <UnfinishedKey series={series} />
      {range !== undefined && <RangeKey range={range} />}
    </div>
  )
}

/** The legend for dotted lines: weeks and months with days missing, or days that Google may still change. */
function UnfinishedKey({ series }: { series: readonly ChartSeries[] }) {
  const point = series.flatMap(({ points }) => points).find(isPreliminary)
  if (point === undefined) return null
  return (
    <span className="inline-flex items-center gap-2">
      <svg viewBox="0 0 20 4" className="w-5">
        <path d="M2 2H19" strokeWidth={2} strokeLinecap="round" strokeDasharray="0.1 5" className="stroke-muted" />
      </svg>
      {unfinished(point) === 'incomplete' ? 'Incomplete' : 'Preliminary'}
    </span>
  )
}

/** The legend for an area of expected values. */
function RangeKey({ range: { label, metric } }: { range: ChartRange }) {
  return (
    <span className="inline-flex items-center gap-2">
      <span
        className={clsx(
          'h-3 w-5 rounded-xs border-t border-dashed',
          metric ? [metricColors[metric].border, metricColors[metric].rangeBg] : 'border-muted bg-text/10',
        )}
      />
      {label}
    </span>
  )
}

const sideOf = (index: number): string => (index === 0 ? 'left' : index === 1 ? 'right' : 'separate scale')

/** The legend for a chart's marks; room for it is reserved before there are any. */
function MarkKey({ marks }: { marks: readonly ChartMark[] }) {
  const kinds = new Map(marks.map(({ kind, Icon }) => [kind, Icon]))
  return (
    <div aria-hidden className="mt-1 flex min-h-9 flex-wrap content-start gap-x-4 gap-y-1 text-xs text-muted sm:min-h-4">
      {[...kinds].map(([kind, Icon]) => (
        <span key={kind} className="inline-flex items-center gap-1.5">
          <Icon className="size-3.5" />
          {kind}
        </span>
      ))}
    </div>
  )
}

type DaysTableProps = { caption: string; metric: MetricName; series: readonly ChartSeries[]; range?: ChartRange | undefined }

/** A chart's series side by side, on the days of the first. */
function DaysTable({ caption, metric, series, range }: DaysTableProps) {
  const dates = series[0]?.points.map(({ date }) => date) ?? []
  return (
    <DatedTable
      caption={caption}
      columns={[...(series.length > 1 ? seriesNames(series) : [metricLabels[metric]]), ...(range ? [range.label] : [])]}
      rows={dates.map((date) => {
        const { end = date, lines } = readingAt(metric, series, date, range)
        return { date, end, cells: lines.map(({ text }) => text) }
      })}
    />
  )
}
