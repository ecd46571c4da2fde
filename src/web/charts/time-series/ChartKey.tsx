import { clsx } from 'clsx'
import { metricLabels } from '../../lib/metric.ts'
import { metricColors } from '../metric-color.ts'
import type { ChartMark, ChartSeries } from './chart-series.ts'

/** In a chart of several metrics: which color each has, on which side its scale stands, and which days are drawn how. */
export function MetricKey({ series }: { series: readonly ChartSeries[] }) {
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
    </div>
  )
}

const sideOf = (index: number): string => (index === 0 ? 'left' : index === 1 ? 'right' : 'own scale')

/** What the marks of a chart are. */
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
