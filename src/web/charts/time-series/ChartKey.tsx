import { clsx } from 'clsx'
import { metricLabels } from '../../lib/metric.ts'
import { metricColors } from '../metric-color.ts'
import { isPreliminary, unfinished } from './reading.ts'
import type { ChartMark, ChartRange, ChartSeries } from './chart-series.ts'

/** For a chart of several metrics: each one's color, the side of its scale, how its days are drawn, what is unfinished, and its expected values. */
export function MetricKey({ series, range }: { series: readonly ChartSeries[]; range: ChartRange | undefined }) {
  const metrics = [...new Set(series.flatMap(({ metric }) => metric ?? []))]
  const times = [...new Map(series.map((each) => [each.label, each])).values()]
  return (
    <div aria-hidden className="mt-1 flex min-h-10 flex-wrap content-start gap-x-4 gap-y-1 text-xs text-muted tabular-nums sm:min-h-5">
      {metrics.map((metric, index) => (
        <span key={metric} className="inline-flex items-center gap-2">
          <span className={clsx('size-2.5 rounded-full', metricColors[metric].bg)} />
          {metricLabels[metric]}
          {metrics.length > 1 && ` (${sideOf(index)})`}
        </span>
      ))}
      {times.map(({ label, muted = false }) => (
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
export function UnfinishedKey({ series }: { series: readonly ChartSeries[] }) {
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
export function RangeKey({ range: { label, metric } }: { range: ChartRange }) {
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

const sideOf = (index: number): string => (index === 0 ? 'left' : index === 1 ? 'right' : 'own scale')

/** The legend for a chart's marks. */
export function MarkKey({ marks }: { marks: readonly ChartMark[] }) {
  const kinds = [...new Map(marks.flatMap(({ kind, Icon }) => (kind === undefined ? [] : [[kind, Icon] as const])))]
  return (
    <div aria-hidden className="mt-1 flex min-h-4 flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {kinds.map(([kind, Icon]) => (
        <span key={kind} className="inline-flex items-center gap-1.5">
          <Icon className="size-3.5" />
          {kind}
        </span>
      ))}
    </div>
  )
}
