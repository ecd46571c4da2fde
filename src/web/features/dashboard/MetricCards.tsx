import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { Metrics } from '../../../contract/metrics.ts'
import { metricNames } from '../../lib/metric.ts'
import { useAnnotationMarks } from '../../widgets/annotations/use-annotation-marks.ts'
import { MetricCard, MetricCardSkeleton } from './MetricCard.tsx'
import { metricView } from './metric-view.ts'

/** `outdated`: these are the figures of the property before, still there until the new ones are. */
export function MetricCards({ metrics, outdated }: { metrics: Metrics; outdated: boolean }) {
  const days = { start: metrics.dates[0] ?? metrics.current.start, end: metrics.dates.at(-1) ?? metrics.current.end }
  const marks = useAnnotationMarks(metrics.property, days.start, days.end)
  return (
    <div aria-busy={outdated} className={clsx('transition-opacity duration-150', outdated && 'opacity-50')}>
      <Grid>
        {metricNames.map((name) => (
          <MetricCard key={name} property={metrics.property} name={name} view={metricView(metrics, name)} marks={marks} days={days} />
        ))}
      </Grid>
    </div>
  )
}

export function MetricCardsLoading() {
  return (
    <div aria-busy>
      <output className="sr-only">Loading metrics</output>
      <Grid>
        {metricNames.map((name) => (
          <MetricCardSkeleton key={name} />
        ))}
      </Grid>
    </div>
  )
}

function Grid({ children }: { children: ReactNode }) {
  return <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4 xl:gap-5">{children}</div>
}
